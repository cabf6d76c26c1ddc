import { SEVERITIES, type Severity } from '#domain/event/event.ts';

interface Bucket {
  readonly at: string;
  readonly bySeverity: Readonly<Partial<Record<Severity, number>>>;
}
export interface Column {
  readonly from: number;
  readonly to: number;
  readonly total: number;
  /** From the bottom: the worst first; shares of the highest column. */
  readonly parts: readonly { readonly severity: Severity; readonly height: number }[];
}

const MOST_COLUMNS = 120;

/** Columns of one width from the first bucket to the last, those without events too. */
export const columnsOf = (buckets: readonly Bucket[], stepMs: number): Column[] => {
  if (buckets.length === 0 || stepMs <= 0) return [];
  const byTime = new Map(buckets.map((bucket) => [Date.parse(bucket.at), bucket.bySeverity]));
  const times = [...byTime.keys()];
  const [first, last] = [Math.min(...times), Math.max(...times)];
  const totals = [...byTime.values()].map(totalOf);
  const most = Math.max(1, ...totals);
  const number = Math.min(MOST_COLUMNS, Math.round((last - first) / stepMs) + 1);
  return Array.from({ length: number }, (_, at) => {
    const from = first + at * stepMs;
    const counts = byTime.get(from) ?? {};
    const parts = SEVERITIES.flatMap((severity) => {
      const value = counts[severity] ?? 0;
      return value === 0 ? [] : [{ severity, height: value / most }];
    });
    return { from, to: from + stepMs - 1, total: totalOf(counts), parts };
  });
};

const totalOf = (counts: Bucket['bySeverity']): number =>
  Object.values(counts).reduce((sum, value) => sum + (value ?? 0), 0);
