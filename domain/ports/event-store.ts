import type { Event, Severity, Status } from '#domain/event/event.ts';
import type { Page, PageRequest, Part, PartRequest } from '#domain/page.ts';
import type { OpenCounts } from '#domain/services/health.ts';

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
  /** Full text over title and description. */
  readonly search?: string;
}

export const EVENT_SORTS = ['timestamp', 'lastOccurrence', 'severity', 'createdAt', 'occurrenceCount'] as const;
export type EventSort = (typeof EVENT_SORTS)[number];

export interface EventStats {
  readonly total: number;
  readonly severityBreakdown: Readonly<Record<Severity, number>>;
  readonly openBySeverity: Readonly<Record<Severity, number>>;
  /**
   * Seconds; null when nothing was resolved in the range. Spans that cannot be believed count in neither; the median may be taken of the
   * 10,000 that were resolved last, and may be estimated when there are many.
   */
  readonly avgResolutionTime: number | null;
  readonly medianResolutionTime: number | null;
}

/** Unresolved events of which nothing was heard since before `before`, ms: neither an occurrence nor a change. */
export interface SilentFilter {
  readonly before: number;
  /** Changes alone, or all that are none. */
  readonly changes: boolean;
}

/** Saves are fenced: a document whose stored position is higher stays as it is. */
export interface EventStore {
  /** Returns how many were written. */
  save(events: readonly Event[]): Promise<number>;
  get(tenant: string, id: string): Promise<Event | null>;
  getMany(tenant: string, ids: readonly string[]): Promise<Event[]>;
  find(tenant: string, filter: EventFilter, page: PageRequest<EventSort>): Promise<Page<Event>>;
  /** For whoever goes through all that are unbound, in an order of the store's own: nobody counts them. */
  unbound(tenant: string, page: PartRequest): Promise<Part<Event>>;
  /** In an order of the store's own: nobody counts them. */
  silent(tenant: string, filter: SilentFilter, page: PartRequest): Promise<Part<Event>>;
  stats(tenant: string, from: number, to: number): Promise<EventStats>;
  /** By CI, those without such events left out; at most 10,000 CIs are asked for. */
  openOn(tenant: string, ciIds: readonly string[]): Promise<ReadonlyMap<string, OpenCounts>>;
  /** Lists show from then on what any process has saved before. For work in the background: it takes a store some effort. */
  refresh(): Promise<void>;
}
