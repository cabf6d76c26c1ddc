import type { Metric, Query, QueryUnit } from '../query.ts';
import type { Range } from '../range.ts';

const NOUNS: Readonly<Record<Metric, readonly [one: string, several: string]>> = {
  events: ['event', 'events'],
  occurrences: ['occurrence', 'occurrences'],
  incidents: ['incident', 'incidents'],
  open_events: ['open event', 'open events'],
  mttr: ['mean time to resolve', 'mean time to resolve'],
  mtta: ['mean time to acknowledge', 'mean time to acknowledge'],
  dedup_ratio: ['share of occurrences that were duplicates', 'share of occurrences that were duplicates'],
  correlated_share: ['share of events in a group', 'share of events in a group'],
  cis: ['CI', 'CIs'],
  relationships: ['relationship', 'relationships'],
  service_health: ['health of services', 'health of services'],
  changes: ['change', 'changes'],
  ai_cost: ['AI cost', 'AI cost'],
};
export const nounOf = (metric: Metric, count = 2): string => NOUNS[metric][count === 1 ? 0 : 1];

const NOTHING: Readonly<Partial<Record<Metric, string>>> = {
  mttr: 'nothing that matches was resolved',
  mtta: 'nothing that matches was acknowledged',
  service_health: 'no business service matches',
};
/** Why a metric has no value. */
export const nothingFor = (metric: Metric): string => NOTHING[metric] ?? 'no event matches';

const MINUTE = 60;
const HOUR = 3_600;
const DAY = 86_400;
const inThreeDigits = (value: number): string => String(Number(value.toPrecision(3)));

/** `45 s`, `12 min`, `3.5 h`, `2.1 d`. */
const span = (seconds: number): string => {
  if (seconds < 2 * MINUTE) return `${inThreeDigits(seconds)} s`;
  if (seconds < 2 * HOUR) return `${inThreeDigits(seconds / MINUTE)} min`;
  return seconds < 2 * DAY ? `${inThreeDigits(seconds / HOUR)} h` : `${inThreeDigits(seconds / DAY)} d`;
};

/** A value in the words of its unit. */
export const said = (value: number, unit: QueryUnit): string => {
  if (unit === 'seconds') return span(value);
  if (unit === 'share') return `${inThreeDigits(100 * value)} %`;
  return unit === 'score' ? `${inThreeDigits(value)} of 100` : inThreeDigits(value);
};

const ROWS: Readonly<Record<NonNullable<Query['groupBy']>, string>> = {
  severity: 'severity',
  status: 'status',
  source: 'source',
  ci: 'CI',
  ci_type: 'type of CI',
  service: 'service',
  environment: 'environment',
  host: 'host',
  signature: 'complaint',
  hour: 'hour',
  day: 'day',
  week: 'week',
};
export const rowNoun = (groupBy: NonNullable<Query['groupBy']>): string => ROWS[groupBy];

const clock = (ms: number): string => new Date(ms).toISOString().slice(0, 16).replace('T', ' ');
/** `2026-11-20 10:00 UTC`. */
export const timeText = (ms: number): string => `${clock(ms)} UTC`;
/** `2026-11-20 10:00 to 2026-11-21 10:00 UTC`. */
export const rangeText = ({ from, to }: Range): string => `${clock(from)} to ${timeText(to)}`;
