import { cleaned } from '#features/ai/rules/prompt/clean.ts';
import type { Cell, ValueKind } from './value.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** Text of an unknown value. */
export const UNKNOWN = '–';

/** Maximum length of a text in a report, in characters. */
const MAX_CHARACTERS = 500;

/** Removes characters that hide text or reverse its direction, and limits its length. */
export const printable = (text: string): string => {
  const kept = cleaned(text, MAX_CHARACTERS + 1).toWellFormed();
  return kept.length > MAX_CHARACTERS ? `${kept.slice(0, MAX_CHARACTERS - 1).toWellFormed()}…` : kept;
};

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const;

const grouped = (digits: string): string => {
  const parts: string[] = [];
  for (let end = digits.length; end > 0; end -= 3) parts.unshift(digits.slice(Math.max(0, end - 3), end));
  return parts.join(',');
};

/** Null if there are no values. */
export const mean = (values: readonly number[]): number | null =>
  values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;

/** `1,234`; `1.2` with up to `digits` decimals, without trailing zeros. */
export const decimal = (value: number, digits = 1): string => {
  const [whole = '0', fraction = ''] = Math.abs(value).toFixed(digits).split('.');
  const kept = fraction.replace(/0+$/, '');
  const sign = value < 0 && /[1-9]/.test(whole + kept) ? '−' : '';
  return `${sign}${grouped(whole)}${kept === '' ? '' : `.${kept}`}`;
};

export const count = (value: number): string => decimal(value, 0);

/** Smallest and largest percentage shown for a share other than 0 and 1. */
const [SOME, NEARLY_ALL] = [0.1, 99.9];

/** Formats `12.3%`. Only exact values are shown as 0% and 100%. */
export const percent = (share: number): string => {
  if (share > 0 && 100 * share < SOME) return `< ${SOME}%`;
  return `${decimal(share < 1 ? Math.min(NEARLY_ALL, 100 * share) : 100 * share)}%`;
};

const UNITS = [
  { name: 'd', ms: DAY_MS },
  { name: 'h', ms: HOUR_MS },
  { name: 'm', ms: MINUTE_MS },
  { name: 's', ms: SECOND_MS },
] as const;
/** The smaller unit is omitted from this number on. */
const ENOUGH = 10;

/** Duration in its two largest relevant units: `45s`, `12m`, `3h 5m`, `2d 4h`. */
export const duration = (ms: number): string => {
  const at = UNITS.findIndex((unit) => ms >= unit.ms);
  const large = UNITS[at];
  if (large === undefined) return `${decimal(ms / SECOND_MS, 2)}s`;
  const small = UNITS[at + 1];
  if (small === undefined || ms >= ENOUGH * large.ms) return `${count(ms / large.ms)}${large.name}`;
  const all = Math.round(ms / small.ms);
  const [first, second] = [Math.floor((all * small.ms) / large.ms), all % (large.ms / small.ms)];
  return `${first}${large.name}${second === 0 ? '' : ` ${second}${small.name}`}`;
};

/** Formats times in one time zone; created once for many times. */
export interface LocalClock {
  /** `20 Nov 2026, 10:00`. */
  time(ms: number): string;
  /** `20 Nov 2026`. */
  day(ms: number): string;
}

/** `zone`: an IANA name. */
export const clockIn = (zone: string): LocalClock => {
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  });
  const parts = (ms: number) => {
    const found = new Map(format.formatToParts(ms).map(({ type, value }) => [type, value]));
    const day = `${Number(found.get('day'))} ${MONTHS[Number(found.get('month')) - 1]} ${found.get('year')}`;
    return { day, time: `${found.get('hour')}:${found.get('minute')}` };
  };
  return {
    day: (ms) => parts(ms).day,
    time: (ms) => {
      const { day, time } = parts(ms);
      return `${day}, ${time}`;
    },
  };
};

/** Formats a value for readers. */
export const shown = (value: Cell, kind: ValueKind, clock: LocalClock): string => {
  if (value === null || value === '') return UNKNOWN;
  if (typeof value === 'string') return printable(value);
  switch (kind) {
    case 'count':
      return count(value);
    case 'share':
      return percent(value);
    case 'duration':
      return duration(value);
    case 'time':
      return clock.time(value);
    case 'day':
      return clock.day(value);
    default:
      return decimal(value, 2);
  }
};

/** Formats a value for programs: ISO 8601, seconds, fractions. */
export const plain = (value: Cell, kind: ValueKind): string | number | null => {
  if (typeof value !== 'number') return value;
  if (kind === 'time' || kind === 'day') return new Date(value).toISOString();
  return kind === 'duration' ? value / SECOND_MS : value;
};
