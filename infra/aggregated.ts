import { itemAt } from '#domain/assert.ts';
import type { Aggregated, AggregateFilter, AggregateRequest, Bucket } from '#domain/ports/events/event-aggregates.ts';

const keyText = (keys: Bucket['keys']): string => JSON.stringify(keys);

/** Buckets in the order of the port, those with the same keys as one, and no more than `limit`. */
export function aggregated(found: readonly Bucket[], limit: number, isCut = false): Aggregated {
  const byKeys = new Map<string, Bucket>();
  for (const bucket of found) {
    const text = keyText(bucket.keys);
    const { count = 0, sum = 0 } = byKeys.get(text) ?? {};
    byKeys.set(text, { keys: bucket.keys, count: count + bucket.count, sum: sum + bucket.sum });
  }
  const sorted = [...byKeys]
    .filter(([, { count }]) => count > 0)
    .sort(([a, one], [b, other]) => other.count - one.count || (a < b ? -1 : 1));
  return { buckets: sorted.slice(0, limit).map(([, bucket]) => bucket), truncated: isCut || sorted.length > limit };
}

/** Start (inclusive) and end (exclusive); infinite without a bound. */
export interface TimeBounds {
  readonly from: number;
  readonly to: number;
}

/** Values in the range and, when times are grouped, between the edges. */
export function boundsOf({ from, to }: AggregateFilter, { by, edges = [] }: AggregateRequest): TimeBounds {
  const isTimed = by.includes('time');
  return {
    from: Math.max(from ?? -Infinity, isTimed ? (edges[0] ?? Infinity) : -Infinity),
    to: Math.min(to ?? Infinity, isTimed ? (edges.at(-1) ?? -Infinity) : Infinity),
  };
}

/** The last edge that is not behind `at`, as a key; the first one when all are. */
export function edgeAt(edges: readonly number[], at: number): string {
  let [low, high] = [0, edges.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (itemAt(edges, middle) <= at) low = middle;
    else high = middle - 1;
  }
  return String(edges[low]);
}
