import type { Range } from '#features/ai/rules/time/range.ts';
import type { Grouping, Metric, QueryUnit } from '../query.ts';

const NOUNS: Readonly<Record<Metric, readonly [one: string, several: string]>> = {
  events: ['event', 'events'],
  occurrences: ['occurrence', 'occurrences'],
  incidents: ['group', 'groups'],
  incident_duration: ['mean incident duration', 'mean incident duration'],
  open_events: ['open event', 'open events'],
  mttr: ['mean time to resolve', 'mean time to resolve'],
  mtta: ['mean time to acknowledge', 'mean time to acknowledge'],
  dedup_ratio: ['duplicate rate', 'duplicate rate'],
  correlated_share: ['correlation rate', 'correlation rate'],
  cis: ['CI', 'CIs'],
  relationships: ['relationship', 'relationships'],
  service_health: ['service health', 'service health'],
  changes: ['change', 'changes'],
  ai_cost: ['AI cost', 'AI cost'],
};
export const nounOf = (metric: Metric, count = 2): string => NOUNS[metric][count === 1 ? 0 : 1];

const NOTHING: Readonly<Partial<Record<Metric, string>>> = {
  mttr: 'no matching events were resolved',
  incident_duration: 'no matching incidents have ended',
  mtta: 'no matching events were acknowledged',
  service_health: 'no matching business services',
};
/** Reason for a metric without a value. */
export const nothingFor = (metric: Metric): string => NOTHING[metric] ?? 'no matching events';

const MINUTE = 60;
const HOUR = 3_600;
const DAY = 86_400;
const inThreeDigits = (value: number): string => String(Number(value.toPrecision(3)));

/** `45s`, `12m`, `3.5h`, `2.1d`. */
const span = (seconds: number): string => {
  if (seconds < 2 * MINUTE) return `${inThreeDigits(seconds)}s`;
  if (seconds < 2 * HOUR) return `${inThreeDigits(seconds / MINUTE)}m`;
  return seconds < 2 * DAY ? `${inThreeDigits(seconds / HOUR)}h` : `${inThreeDigits(seconds / DAY)}d`;
};

/** A value in the words of its unit. */
export const said = (value: number, unit: QueryUnit): string => {
  if (unit === 'seconds') return span(value);
  if (unit === 'share') return `${inThreeDigits(100 * value)}%`;
  return unit === 'score' ? `${inThreeDigits(value)} of 100` : inThreeDigits(value);
};

const ROWS: Readonly<Partial<Record<Grouping, string>>> = { ci: 'CI', ci_type: 'CI type', signature: 'problem' };
export const rowNoun = (groupBy: Grouping): string => ROWS[groupBy] ?? groupBy;

const clock = (ms: number): string => new Date(ms).toISOString().slice(0, 16).replace('T', ' ');
/** `2026-11-20 10:00 UTC`. */
export const timeText = (ms: number): string => `${clock(ms)} UTC`;
/** `2026-11-20 10:00 to 2026-11-21 10:00 UTC`. */
export const rangeText = ({ from, to }: Range): string => `${clock(from)} to ${timeText(to)}`;
