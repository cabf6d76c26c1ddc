import { number, percent, plain } from '#console/words/counts.ts';
import { duration } from '#console/words/times.ts';
import type { ReportDetails } from './api.ts';

type Unit = ReportDetails['unit'];

/** `1,204`, `12 min`, `76 %`: a value as people read it. */
export const valueWords = (value: number | null, unit: Unit): string => {
  if (value === null) return '–';
  if (unit === 'seconds') return duration(value * 1_000);
  if (unit === 'share') return percent(value);
  if (unit === 'cost') return value.toFixed(2);
  return number(unit === 'score' ? Math.round(value) : Math.round(value * 100) / 100);
};

const METRICS: Readonly<Record<string, string>> = {
  mttr: 'Mean time to resolve',
  mtta: 'Mean time to acknowledge',
  dedup_ratio: 'Share of repetitions',
  correlated_share: 'Share of events in groups',
  cis: 'CIs',
  ai_cost: 'Cost of AI',
};

/** Within a sentence. */
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
/** Whether the rows stand in time, one after another. */
export const isInTime = ({ interpretation }: ReportDetails): boolean => TIMES.has(interpretation.group_by ?? '');
