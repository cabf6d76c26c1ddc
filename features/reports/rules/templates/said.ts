import { chanceOf } from '#domain/statistics/rate-test.ts';
import { calendarOf } from '#features/ai/rules/time/calendar.ts';
import type { Range } from '#features/ai/rules/time/range.ts';
import type { Chosen } from '#features/reports/rules/templates/chosen.ts';
import { count, percent } from '#features/reports/rules/values/values.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const SIGNIFICANT = 0.05;
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const;

/** `1 event`, `1,234 events`. */
export const several = (n: number, one: string, many = `${one}s`): string => `${count(n)} ${n === 1 ? one : many}`;

/** Formats a share; empty if the whole is 0. */
export const shareOf = (part: number, whole: number): string => (whole === 0 ? '' : percent(part / whole));

/** `is` or `are`. */
export const are = (n: number): string => (n === 1 ? 'is' : 'are');

/** Length of a range: `14 days`, `36 hours`. */
export const span = ({ from, to }: Range): string => {
  const days = (to - from) / DAY_MS;
  return days >= 2 ? several(Math.round(days), 'day') : several(Math.max(1, Math.round((to - from) / HOUR_MS)), 'hour');
};

/** Compares a count with the previous range of equal length: the difference, and whether it is significant. */
export const against = (now: number, before: number | null, range: Range): string => {
  if (before === null) return '';
  if (before === 0) return now === 0 ? `same as the previous ${span(range)}` : `none in the previous ${span(range)}`;
  const earlier = `the previous ${span(range)} (${count(before)})`;
  if (now === before) return `same as ${earlier}`;
  const word = now > before ? 'more' : 'fewer';
  const change = `${percent(Math.abs(now - before) / before)} ${word}`;
  const chance = chanceOf(before, now);
  return `${change} than ${earlier}${chance < SIGNIFICANT ? '' : ' (not significant)'}`;
};

export type TimeUnit = 'hour' | 'day' | 'week';

/** Selects a unit that divides the range into about sixty columns at most. */
export const unitFor = ({ from, to }: Range): TimeUnit => {
  const days = (to - from) / DAY_MS;
  if (days <= 2) return 'hour';
  return days <= 62 ? 'day' : 'week';
};

/** Returns a function that labels the column of a time. */
export const timeLabels = (zone: string, unit: TimeUnit) => {
  const calendar = calendarOf(zone);
  return (at: number): string => {
    const { day, month, hour } = calendar.shown(at);
    const date = `${day} ${MONTHS[month - 1]}`;
    return unit === 'hour' ? `${date} ${String(hour).padStart(2, '0')}:00` : date;
  };
};

/** Name of the axis. */
export const axisOf = (unit: TimeUnit, zone: string): string =>
  unit === 'week' ? `week, by its first day (${zone})` : `${unit} (${zone})`;

const GROUPINGS: Readonly<Record<string, readonly [one: string, many: string]>> = {
  source: ['source', 'sources'],
  ci: ['CI', 'CIs'],
  ci_type: ['CI type', 'CI types'],
  service: ['service', 'services'],
  environment: ['environment', 'environments'],
  severity: ['severity', 'severities'],
  status: ['status', 'states'],
  signature: ['complaint', 'complaints'],
  change_type: ['change type', 'change types'],
  risk_level: ['risk level', 'risk levels'],
  model: ['model', 'models'],
  department: ['department', 'departments'],
  day: ['day', 'days'],
};
/** Noun for the rows of a grouping. */
export const groupNoun = (grouping: string, n = 1): string => GROUPINGS[grouping]?.[n === 1 ? 0 : 1] ?? grouping;

/** Returns the name of a row, including the row without a value. */
export const rowName = (label: string, grouping: string): string =>
  label === 'none' ? `no ${groupNoun(grouping)}` : label;

/** Describes the request, for the cover. */
export const scopeOf = ({ ciTypes, services, sources, severities, grouping, group }: Chosen): string[] => {
  const part = (what: string, names: readonly string[] | undefined): string[] =>
    names === undefined ? [] : [`${what} ${names.join(', ')}`];
  const narrowed = [
    ...part('CIs of type', ciTypes),
    ...part('service', services),
    ...part('source', sources),
    ...part('severity', severities),
    ...part('group', group === undefined ? undefined : [group]),
  ];
  return [
    ...(narrowed.length === 0 ? ['everything'] : narrowed),
    ...(grouping === null ? [] : [`by ${groupNoun(grouping)}`]),
  ];
};
