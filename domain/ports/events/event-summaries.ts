import type { Severity } from '#domain/event/event.ts';
import type { EventFilter } from './event-store.ts';

/** Facets of a list of events. `ci` and `assignee` return ids, `host` the form of `canonicalHost`. */
export const FACETS = ['severity', 'status', 'source', 'service', 'environment', 'host', 'ci', 'assignee'] as const;
export type Facet = (typeof FACETS)[number];

export interface FacetCount {
  readonly value: string;
  readonly count: number;
}
export interface Facets {
  /** Events of the filter, exactly. */
  readonly total: number;
  /** The most frequent values of each, the most frequent first, ties by value; events without one are left out. */
  readonly facets: Readonly<Record<Facet, readonly FacetCount[]>>;
  /** True if there are more events than the scan limit. */
  readonly truncated: boolean;
}

/** Event time in ms, both ends within; a bucket begins at a multiple of the step. */
export interface HistogramRange {
  readonly from: number;
  readonly to: number;
  /** Step for at most 120 buckets in the range. */
  readonly stepMs: number;
}
export interface HistogramBucket {
  /** Start, ms. */
  readonly at: number;
  readonly bySeverity: Readonly<Record<Severity, number>>;
}
export interface Histogram {
  /** Those with an event, earliest first. */
  readonly buckets: readonly HistogramBucket[];
  /** True if there are more events than the scan limit. */
  readonly truncated: boolean;
}

/** Maximum of events scanned, where there is no index to count by. */
export const MAX_LOOKED_AT = 60_000;
/** Values of a facet. */
export const MAX_FACET_VALUES = 20;
export const MAX_HISTOGRAM_BUCKETS = 120;

/** Summary of a list of events, without its rows. */
export interface EventSummaries {
  facets(tenant: string, filter: EventFilter): Promise<Facets>;
  /** Counts by event time; the filter's own range is not used. */
  histogram(tenant: string, filter: Omit<EventFilter, 'from' | 'to'>, range: HistogramRange): Promise<Histogram>;
}
