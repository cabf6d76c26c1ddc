import type { EventFilter } from './event-store.ts';

/**
 * `events` counts, `occurrences` sums how often each was told. `resolution` and `acknowledgement` are spans from the first occurrence,
 * ms; events without one, or with one that cannot be believed, are left out. `correlated` counts those in a group.
 */
export const MEASURES = ['events', 'occurrences', 'correlated', 'resolution', 'acknowledgement'] as const;
export type Measure = (typeof MEASURES)[number];

/** `host`: the host name as the sender says it. `service`: what the sender calls the service, else the application. `group`: the group as it was assigned. `time`: see `edges`. */
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
  /** Events that tell of a change, and no others. */
  readonly changes?: true;
}

export interface AggregateRequest {
  readonly measure: Measure;
  /** At most two, and each once; none: one bucket of all. */
  readonly by: readonly AggregateKey[];
  /** For `time`: ascending, at most 1,001, whole quarters of an hour but for the first and the last; a bucket lies between two. */
  readonly edges?: readonly number[];
  /** Buckets, at most 10,000: those with most events. */
  readonly limit: number;
}

export interface Bucket {
  /** As in `by`; of `time` the edge at which it begins. Null: the event has none. */
  readonly keys: readonly (string | null)[];
  /** Events of which the measure was taken. */
  readonly count: number;
  /** Of the measure over them. */
  readonly sum: number;
}
export interface Aggregated {
  /** Those with most events first, ties by keys; empty ones are left out. */
  readonly buckets: readonly Bucket[];
  /** There are more. */
  readonly truncated: boolean;
}

export const MAX_BUCKETS = 10_000;

/** Counts and sums events by what they have in common. */
export interface EventAggregates {
  /** Throws Fault `unavailable` when it takes too long. */
  aggregate(tenant: string, filter: AggregateFilter, request: AggregateRequest): Promise<Aggregated>;
}
