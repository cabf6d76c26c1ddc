import { number, plain } from '#console/text/counts.ts';
import { duration } from '#console/text/times.ts';
import { percent } from '#domain/numbers.ts';
import type { ReportDetails } from './api.ts';

type ValueUnit = ReportDetails['unit'];

/** Formats a value: `1,204`, `12m`, `76%`. */
export const valueWords = (value: number | null, unit: ValueUnit): string => {
  if (value === null) return '–';
  if (unit === 'seconds') return duration(value * 1_000);
  if (unit === 'share') return percent(value);
  if (unit === 'cost') return value.toFixed(2);
  return number(unit === 'score' ? Math.round(value) : Math.round(value * 100) / 100);
};

const METRICS: Readonly<Record<string, string>> = {
  mttr: 'Mean time to resolve',
  mtta: 'Mean time to acknowledge',
  dedup_ratio: 'Duplicate rate',
  correlated_share: 'Grouped events (%)',
  cis: 'CIs',
  ai_cost: 'AI cost',
};

/** Form used within a sentence. */
const lower = (word: string): string =>
  plain(word)
    .toLowerCase()
    .replace(/\bci\b/, 'CI');

/** The metric: `Events by host, severity critical`. */
export const understood = ({ interpretation: { metric, group_by, filters } }: ReportDetails): string => {
  if (metric === null) return '';
  const by = group_by === null ? '' : ` by ${lower(group_by)}`;
  const given = Object.entries(filters).map(
    ([name, value]) => `${lower(name)} ${Array.isArray(value) ? value.join(' or ') : value}`,
  );
  return [`${METRICS[metric] ?? plain(metric)}${by}`, ...given].join(', ');
};

const TIMES: ReadonlySet<string> = new Set(['hour', 'day', 'week']);
/** True if the rows are in chronological order. */
export const isInTime = ({ interpretation }: ReportDetails): boolean => TIMES.has(interpretation.group_by ?? '');
