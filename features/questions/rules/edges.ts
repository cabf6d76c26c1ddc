import { calendarOf } from '#features/ai/rules/time/calendar.ts';
import type { Range } from '#features/ai/rules/time/range.ts';

export type BucketUnit = 'hour' | 'day' | 'week';

/** Buckets of time in one answer. */
const MAX_BUCKETS_OF_TIME = 1_000;

/** Edges of buckets: the starts of hours, days or weeks of a zone, between the ends of the range. The newest 1,000. */
export function bucketEdges({ from, to }: Range, unit: BucketUnit, zone: string): readonly number[] {
  const calendar = calendarOf(zone);
  const edges = [to];
  for (let at = calendar.startOf(unit, to - 1); edges.length <= MAX_BUCKETS_OF_TIME; ) {
    edges.push(Math.max(at, from));
    if (at <= from) break;
    at = calendar.startOf(unit, at - 1);
  }
  return edges.reverse();
}
