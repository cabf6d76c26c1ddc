import type { Unit } from './calendar.ts';

const UNIT_WORDS: Readonly<Record<Unit, string>> = {
  minute: 'm min mins minute minutes',
  hour: 'h hr hrs hour hours',
  day: 'd day days',
  week: 'w wk wks week weeks',
  month: 'mo mos month months',
  quarter: 'quarter quarters',
  year: 'y yr yrs year years',
};
const byWord = <T>(table: Readonly<Record<string, string>>, value: (key: string) => T): ReadonlyMap<string, T> =>
  new Map(Object.entries(table).flatMap(([key, words]) => words.split(' ').map((word) => [word, value(key)] as const)));
const UNITS_BY_WORD = byWord(UNIT_WORDS, (unit) => unit as Unit);

/** Not of the letters alone, which are units behind a number only. */
export const unitNamed = (word: string | undefined): Unit | null =>
  (word !== undefined && word.length > 1 && UNITS_BY_WORD.get(word)) || null;

const NUMBERS =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty'.split(
    ' ',
  );
const MORE_NUMBERS: ReadonlyMap<string, number> = new Map([
  ['a', 1] as const,
  ['an', 1] as const,
  ['couple', 2] as const,
  ['dozen', 12] as const,
  ['thirty', 30] as const,
  ['forty', 40] as const,
  ['fifty', 50] as const,
  ['sixty', 60] as const,
  ['ninety', 90] as const,
  ['hundred', 100] as const,
]);

/** A whole number in digits or words, at most 100,000. */
export const numberNamed = (word: string | undefined): number | null => {
  if (word === undefined) return null;
  if (/^\d{1,5}$/.test(word)) return Number(word);
  const at = NUMBERS.indexOf(word);
  return at >= 0 ? at : (MORE_NUMBERS.get(word) ?? null);
};

const COMPACT = /^(\d{1,5})([a-z]{1,7})$/;

/** `24h`, `7d`, `30min`. */
export const compactSpan = (word: string | undefined): { readonly number: number; readonly unit: Unit } | null => {
  const [, digits, letters] = COMPACT.exec(word ?? '') ?? [];
  const unit = letters === undefined ? undefined : UNITS_BY_WORD.get(letters);
  return unit === undefined ? null : { number: Number(digits), unit };
};

const MINUTES: Readonly<Record<Unit, number>> = {
  minute: 1,
  hour: 60,
  day: 1_440,
  week: 10_080,
  month: 43_200,
  quarter: 129_600,
  year: 525_600,
};
/** Longer ago there are no times. */
const MAX_YEARS = 50;
export const isWithinTime = (number: number, unit: Unit): boolean => number * MINUTES[unit] <= MAX_YEARS * MINUTES.year;

const MONTHS: Readonly<Record<string, string>> = {
  1: 'january jan',
  2: 'february feb',
  3: 'march mar',
  4: 'april apr',
  5: 'may',
  6: 'june jun',
  7: 'july jul',
  8: 'august aug',
  9: 'september sep sept',
  10: 'october oct',
  11: 'november nov',
  12: 'december dec',
};
const MONTHS_BY_WORD = byWord(MONTHS, Number);
export const monthNamed = (word: string | undefined): number | null => MONTHS_BY_WORD.get(word ?? '') ?? null;

const WEEKDAYS: Readonly<Record<string, string>> = {
  1: 'monday mon',
  2: 'tuesday tue tues',
  3: 'wednesday wed',
  4: 'thursday thu thur thurs',
  5: 'friday fri',
  6: 'saturday sat',
  7: 'sunday sun',
};
const WEEKDAYS_BY_WORD = byWord(WEEKDAYS, Number);
/** Monday is 1. */
export const weekdayNamed = (word: string | undefined): number | null => WEEKDAYS_BY_WORD.get(word ?? '') ?? null;

/** Words that are something else too, so that only a word before them makes them a month or a day. */
const AMBIGUOUS: ReadonlySet<string> = new Set(['may', 'march', 'mar', 'sun', 'sat', 'mon', 'wed', 'jan', 'dec']);
export const isAmbiguous = (word: string | undefined): boolean => AMBIGUOUS.has(word ?? '');

const ORDINALS =
  'first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth'.split(
    ' ',
  );
/** `3rd`, `21st`, `third`: a day of a month. */
export const ordinalNamed = (word: string | undefined): number | null => {
  const [, digits] = /^(\d{1,2})(?:st|nd|rd|th)$/.exec(word ?? '') ?? [];
  const day = digits === undefined ? ORDINALS.indexOf(word ?? '') + 1 : Number(digits);
  return day >= 1 && day <= 31 ? day : null;
};

export const yearNamed = (word: string | undefined): number | null =>
  /^(?:19|20)\d\d$/.test(word ?? '') ? Number(word) : null;

/** Words of times of which each is long enough to be mistyped. */
export const TIME_WORDS: readonly string[] = [
  ...UNITS_BY_WORD.keys(),
  ...NUMBERS,
  ...MONTHS_BY_WORD.keys(),
  ...WEEKDAYS_BY_WORD.keys(),
  'yesterday',
  'today',
  'morning',
  'afternoon',
  'evening',
  'night',
  'tonight',
  'midnight',
  'overnight',
  'weekend',
  'fortnight',
  'previous',
  'current',
  'since',
  'between',
  'until',
  'through',
  'during',
  'before',
  'after',
  'past',
];
