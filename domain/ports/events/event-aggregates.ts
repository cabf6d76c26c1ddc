import type { EventFilter } from './event-store.ts';

/**
 * `events` counts, `occurrences` sums the occurrences. `resolution` and `acknowledgement` are durations from the first
 * occurrence, ms; events without one, or with an implausible one, are left out. `correlated` counts events in a group.
 */
export const MEASURES = ['events', 'occurrences', 'correlated', 'resolution', 'acknowledgement'] as const;
export type Measure = (typeof MEASURES)[number];

/**
 * `host`: the host name sent by the sender. `service`: the sender's name of the service, else of the application.
 * `group`: the assigned group. `time`: see `edges`.
 */
export const AGGREGATE_KEYS = [
  'severity',
  'status',
  'source',
  'ci',
  'host',
  'service',
  'environment',
  'signature',
  'group',
  'time',
] as const;
export type AggregateKey = (typeof AGGREGATE_KEYS)[number];

/** All conditions hold; texts are compared as they are stored. */
export interface AggregateFilter
  extends Pick<EventFilter, 'statuses' | 'severities' | 'sources' | 'correlationIds' | 'search'> {
  /** Event time from, and before, in ms; of `resolution` the time at which the event was resolved. */
  readonly from?: number;
  readonly to?: number;
  /** Any of them. */
  readonly ciIds?: readonly string[];
  readonly environments?: readonly string[];
  readonly signatures?: readonly string[];
  /** Named by the sender, or on one of the CIs. */
  readonly ofService?: { readonly names: readonly string[]; readonly ciIds: readonly string[] };
  /** Only events about a change; false: only others. */
  readonly changes?: boolean;
}

export interface AggregateRequest {
  readonly measure: Measure;
  /** Keys, at most two, and each once; none: one bucket of all. */
  readonly by: readonly AggregateKey[];
  /**
   * Edges for `time`: ascending, at most 1,001, whole quarters of an hour except the first and the last; a bucket is
   * between two.
   */
  readonly edges?: readonly number[];
  /** Buckets, at most 10,000: those with most events. */
  readonly limit: number;
}

export interface Bucket {
  /** Values in the order of `by`; for `time` the edge at which it begins. Null: the event has none. */
  readonly keys: readonly (string | null)[];
  /** Number of events with the measure. */
  readonly count: number;
  /** Sum of the measure over them. */
  readonly sum: number;
}
export interface Aggregated {
  /** Those with most events first, ties by keys; empty ones are left out. */
  readonly buckets: readonly Bucket[];
  /** There are more. */
  readonly truncated: boolean;
}

export const MAX_BUCKETS = 10_000;

/** Counts and sums events by common fields. */
export interface EventAggregates {
  /** Throws Fault `unavailable` on a timeout. */
  aggregate(tenant: string, filter: AggregateFilter, request: AggregateRequest): Promise<Aggregated>;
}
