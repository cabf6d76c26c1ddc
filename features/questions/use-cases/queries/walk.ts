import { pagesOf } from '#application/records/list-records.ts';
import { itemAt } from '#domain/assert.ts';
import type { Part, PartRequest } from '#domain/page.ts';
import type { Range } from '#features/ai/rules/time/range.ts';
import { type BucketUnit, bucketEdges } from '#features/questions/rules/edges.ts';
import { countRow, type QueryRow } from '#features/questions/rules/query.ts';
import { iso } from '#schemas/http/time.ts';

/** Records that are gone through, the newest. */
const MOST = 20_000;
const CHUNK = 1_000;

export interface Walked<T> {
  readonly items: readonly T[];
  /** Older ones were not looked at. */
  readonly truncated: boolean;
}

/** Records since `from` (ms) of a list that begins with the newest. */
export async function walkNewest<T>(
  find: (page: PartRequest) => Promise<Part<T>>,
  from: number,
  timeOf: (item: T) => number,
  most = MOST,
): Promise<Walked<T>> {
  const items: T[] = [];
  for await (const page of pagesOf(CHUNK, find)) {
    if (items.length >= most) return { items, truncated: true };
    const recent = page.filter((one) => timeOf(one) >= from);
    items.push(...recent);
    if (recent.length < page.length) break;
  }
  return { items, truncated: false };
}
export function countBy<T>(items: readonly T[], keysOf: (item: T) => readonly string[]): QueryRow[] {
  const counts = new Map<string, number>();
  for (const item of items) for (const key of new Set(keysOf(item))) counts.set(key, (counts.get(key) ?? 0) + 1);
  return [...counts].map(([key, count]) => countRow(key, count));
}

interface OverTime {
  /** Null: since the oldest item. */
  readonly range: Range | null;
  readonly now: number;
  readonly zone: string;
}

/** Number of times (ms) in each hour, day or week. */
export function countOverTime(times: readonly number[], unit: BucketUnit, { range, now, zone }: OverTime): QueryRow[] {
  const sorted = [...times].sort((a, b) => a - b);
  const edges = bucketEdges(range ?? { from: Math.min(now - 1, sorted[0] ?? now), to: now }, unit, zone);
  let next = 0;
  return edges.slice(0, -1).map((edge, i) => {
    while (next < sorted.length && itemAt(sorted, next) < edge) next++;
    const start = next;
    while (next < sorted.length && itemAt(sorted, next) < itemAt(edges, i + 1)) next++;
    return countRow(iso(edge), next - start);
  });
}
