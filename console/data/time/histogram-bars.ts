import { SEVERITIES, type Severity } from '#domain/event/event.ts';

/** Counts of the server: buckets begin at multiples of the step, and empty ones are left out. */
interface HistogramCounts {
  readonly from: string;
  readonly to: string;
  readonly stepMs: number;
  readonly buckets: readonly BarBucket[];
}
interface BarBucket {
  readonly at: string;
  readonly bySeverity: Readonly<Partial<Record<Severity, number>>>;
}
export interface HistogramBar {
  readonly from: number;
  readonly to: number;
  readonly total: number;
  /** Parts from the bottom: the worst first; shares of the highest column. */
  readonly parts: readonly { readonly severity: Severity; readonly height: number }[];
}

const MAX_COLUMNS = 120;

/** Columns of one width over the whole range that was counted, whether anything happened in them or not. */
export const columnsOf = ({ from, to, stepMs, buckets }: HistogramCounts): HistogramBar[] => {
  if (stepMs <= 0) return [];
  const bucketOf = (ms: number): number => Math.floor(ms / stepMs);
  const byBucket = new Map(buckets.map(({ at, bySeverity }) => [bucketOf(Date.parse(at)), bySeverity]));
  const most = Math.max(1, ...[...byBucket.values()].map(totalOf));
  const [first, last] = [bucketOf(Date.parse(from)), bucketOf(Date.parse(to))];
  return Array.from({ length: Math.min(MAX_COLUMNS, Math.max(0, last - first + 1)) }, (_, at) => {
    const begin = (first + at) * stepMs;
    const counts = byBucket.get(first + at) ?? {};
    const parts = SEVERITIES.flatMap((severity) => {
      const value = counts[severity] ?? 0;
      return value === 0 ? [] : [{ severity, height: value / most }];
    });
    return { from: begin, to: begin + stepMs - 1, total: totalOf(counts), parts };
  });
};

const totalOf = (counts: BarBucket['bySeverity']): number =>
  Object.values(counts).reduce((sum, value) => sum + (value ?? 0), 0);
