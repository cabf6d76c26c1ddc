import type { Local } from '#console/hooks/use-local.ts';
import * as text from './texts.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const MORNING = 8;

export const LENGTHS = [
  { value: '30m', label: text.thirtyMinutes, ms: HOUR / 2 },
  { value: '2h', label: text.twoHours, ms: 2 * HOUR },
  { value: 'morning', label: text.untilMorning, ms: null },
  { value: '24h', label: text.twentyFourHours, ms: DAY },
  { value: '7d', label: text.sevenDays, ms: 7 * DAY },
  { value: '90d', label: text.ninetyDays, ms: 90 * DAY },
  { value: '365d', label: text.oneYear, ms: 365 * DAY },
  { value: 'own', label: text.customEndTime, ms: null },
] as const;

/** A duration, or `own`: until the value of a date field. */
export interface ChosenEnd {
  readonly length: (typeof LENGTHS)[number]['value'];
  readonly endsAt: string;
}

/** Returns the end, epoch ms; null: no time was chosen. */
export const endOf = ({ length, endsAt }: ChosenEnd, start: number, { toLocal, toMs }: Local): number | null => {
  const span = LENGTHS.find(({ value }) => value === length)?.ms ?? null;
  if (span !== null) return start + span;
  if (length === 'own') return toMs(endsAt);
  const morning = (ms: number): number | null => toMs(`${toLocal(ms).slice(0, 10)}T0${MORNING}:00`);
  const sameDay = morning(start);
  return sameDay !== null && sameDay > start ? sameDay : morning(start + DAY);
};
