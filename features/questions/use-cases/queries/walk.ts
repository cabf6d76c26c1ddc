import { itemAt } from '#domain/assert.ts';
import type { Page } from '#domain/page.ts';
import type { QueryRow } from '#features/questions/rules/result.ts';
import { iso } from '#schemas/http/time.ts';

/** Records that are gone through, the newest. */
const MOST = 20_000;
const CHUNK = 1_000;

interface Dated {
  readonly createdAt: number;
}
export interface Walked<T> {
  readonly items: readonly T[];
  /** Older ones were not looked at. */
  readonly truncated: boolean;
}

/** CIs made since `from` (ms), newest first, page by page. */
export async function walkNewest<T extends Dated>(
  find: (page: { readonly limit: number; readonly cursor?: string }) => Promise<Page<T>>,
  from: number,
): Promise<Walked<T>> {
  const items: T[] = [];
  for (let cursor: string | null = null; ; ) {
    const found: Page<T> = await find({ limit: CHUNK, ...(cursor !== null && { cursor }) });
    items.push(...found.items.filter(({ createdAt }) => createdAt >= from));
    cursor = found.nextCursor;
    const isPast = (found.items.at(-1)?.createdAt ?? 0) < from;
    if (cursor === null || isPast) return { items, truncated: false };
    if (items.length >= MOST) return { items, truncated: true };
  }
}

/** Number of items by key. */
export function countBy<T>(items: readonly T[], keysOf: (item: T) => readonly string[]): QueryRow[] {
  const counts = new Map<string, number>();
  for (const item of items) for (const key of new Set(keysOf(item))) counts.set(key, (counts.get(key) ?? 0) + 1);
  return [...counts].map(([key, count]) => ({ key, label: key, value: count, count }));
}

/** Number of items between two edges each. */
export function countBetween(times: readonly number[], edges: readonly number[]): QueryRow[] {
  const sorted = [...times].sort((a, b) => a - b);
  let next = 0;
  return edges.slice(0, -1).map((edge, i) => {
    while (next < sorted.length && itemAt(sorted, next) < edge) next++;
    const start = next;
    while (next < sorted.length && itemAt(sorted, next) < itemAt(edges, i + 1)) next++;
    return { key: iso(edge), label: iso(edge), value: next - start, count: next - start };
  });
}
