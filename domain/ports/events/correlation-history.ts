import type { PastRecord } from '#domain/correlation/on-demand/replay.ts';
import type { Decision } from '#domain/correlation/records.ts';
import type { Event } from '#domain/event/event.ts';

/** Number of records, and the position of the first; null without any. */
export interface Extent {
  readonly records: number;
  readonly first: number | null;
}

export interface RecordsSince {
  /** Event time of the records, ms. */
  readonly from: number;
  /** Only those of higher positions. */
  readonly after: number;
  readonly limit: number;
}

/** Stored records and user actions, for a replay. */
export interface CorrelationHistory {
  /** Records with event time from `from` (ms) on; those of an event that arrived again count each. */
  extent(tenant: string, from: number): Promise<Extent>;
  /**
   * Returns records by position; fewer than the limit may be followed by others, none are the end. With all ends and
   * returns of their events.
   */
  records(tenant: string, since: RecordsSince): Promise<PastRecord[]>;
  /** Decisions without an arrival: manual links, and those found on demand; by position, behind `after`. */
  demanded(tenant: string, after: number, limit: number): Promise<Decision[]>;
}

/** Accepted links of an event at either end. */
export interface EventLinks {
  /** Ids of up to ten others, the best link first. */
  readonly others: readonly string[];
  /** Strategies of all reasons. */
  readonly strategies: ReadonlySet<string>;
}

export interface LinkStore {
  /** Links of the events that have any, by id. */
  linksOf(
    tenant: string,
    events: readonly Pick<Event, 'id' | 'createdPosition'>[],
  ): Promise<ReadonlyMap<string, EventLinks>>;
}
