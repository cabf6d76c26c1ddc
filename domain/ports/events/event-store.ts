import type { Event, Severity, Status } from '#domain/event/event.ts';
import type { Page, PageRequest } from '#domain/page.ts';

/** Open, acknowledged and suppressed events without a CI; with names or addresses those that are about one of them. */
export interface Unbound {
  /** In the form of `canonicalHost`: the same, or the same with a domain behind it; or a `ciKey`. */
  readonly hostnames?: readonly string[];
  /** In the form of `canonicalIp`; or a `ciKey`. */
  readonly addresses?: readonly string[];
}

export interface EventFilter {
  readonly statuses?: readonly Status[];
  readonly severities?: readonly Severity[];
  readonly sources?: readonly string[];
  /** Any of them. */
  readonly ciId?: string | readonly string[];
  readonly unbound?: Unbound;
  /** Group id and aliases: any of them. */
  readonly correlationIds?: readonly string[];
  /** [firstOccurrence, lastOccurrence] meets [from, to]. */
  readonly from?: number;
  readonly to?: number;
  /**
   * Every word is found in the title, the description or the host name; the last of a word's parts may be the beginning of one, when the
   * word has two letters or digits at least.
   */
  readonly search?: string;
  /** Any of them, in the form of `canonicalHost`; `*` stands for any characters, `?` for one. */
  readonly hosts?: readonly string[];
  /** The sender's name of the service, else of the application. Any of them, as they are stored, as are the next two. */
  readonly services?: readonly string[];
  readonly environments?: readonly string[];
  readonly tags?: readonly string[];
  /** Ids of users and teams, any of them; null: it is assigned to no user and no team. */
  readonly assignee?: string | readonly string[] | null;
  readonly ids?: readonly string[];
  /** In a group, bound to a CI, usual; or not. */
  readonly grouped?: boolean;
  readonly bound?: boolean;
  readonly usual?: boolean;
}

export const EVENT_SORTS = ['timestamp', 'lastOccurrence', 'severity', 'createdAt', 'occurrenceCount'] as const;
export type EventSort = (typeof EVENT_SORTS)[number];

/** Saves are fenced: a document whose stored position is higher stays as it is. */
export interface EventStore {
  /** Returns how many were written. */
  save(events: readonly Event[]): Promise<number>;
  get(tenant: string, id: string): Promise<Event | null>;
  getMany(tenant: string, ids: readonly string[]): Promise<Event[]>;
  find(tenant: string, filter: EventFilter, page: PageRequest<EventSort>): Promise<Page<Event>>;
}
