import type { Event, Severity, Status } from '#domain/event/event.ts';
import type { Page, PageRequest, Part } from '#domain/page.ts';

/** Open, acknowledged and suppressed events without a CI; names or addresses limit them to matching events. */
export interface Unbound {
  /** Names in the form of `canonicalHost`: the same, or the same with a domain behind it; or a `ciKey`. */
  readonly hostnames?: readonly string[];
  /** Addresses in the form of `canonicalIp`; or a `ciKey`. */
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
  /** Any of them, in the form of `canonicalHost`; `*` matches any characters, `?` one. */
  readonly hosts?: readonly string[];
  /** The sender's name of the service, else of the application. Any of them, as they are stored, as are the next two. */
  readonly services?: readonly string[];
  readonly environments?: readonly string[];
  readonly tags?: readonly string[];
  /** Ids of users and teams, any of them; null: it is assigned to no user and no team. */
  readonly assignee?: string | readonly string[] | null;
  readonly ids?: readonly string[];
  /** True: in a group, bound to a CI, recurring; false: not. */
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
  /** The same page without its total, which costs more than the page when many events match. By cursor only. */
  part(tenant: string, filter: EventFilter, page: Omit<PageRequest<EventSort>, 'offset'>): Promise<Part<Event>>;
}
