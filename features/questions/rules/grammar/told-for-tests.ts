import type { Query } from '../query.ts';

const WEEK_MS = 7 * 86_400_000;
const timeOf = (at: number): string => new Date(at).toISOString().slice(5, 16);

/** A query in words, without the usual: the last seven days until now, of everything. */
export function queryWords(query: Query | null, now: number): string {
  if (query === null) return 'nothing';
  const { metric, filters, groupBy, range, compareTo, sort, limit } = query;
  const isUsual = range === null || (range.to === now && range.from === now - WEEK_MS);
  return [
    metric,
    ...Object.entries(filters).map(([name, values]) => `${name}=${[values].flat().join('+')}`),
    groupBy && `by ${groupBy}`,
    isUsual ? null : `${timeOf(range.from)}..${timeOf(range.to)}`,
    compareTo && 'compared',
    sort,
    limit,
  ]
    .filter((part) => part !== null)
    .join(' ');
}
