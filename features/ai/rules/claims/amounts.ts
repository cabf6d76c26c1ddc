import { stemOf } from '#domain/search/stem.ts';

/* Numbers and times of sentences, and words that mean the same. */

const UNITS: readonly (readonly [RegExp, number])[] = [
  [/^(?:ms|milliseconds?)$/, 1],
  [/^(?:s|secs?|seconds?)$/, 1_000],
  [/^(?:m|mins?|minutes?)$/, 60_000],
  [/^(?:h|hrs?|hours?)$/, 3_600_000],
  [/^(?:d|days?)$/, 86_400_000],
  [/^weeks?$/, 604_800_000],
];
const SPELLED =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty'.split(
    ' ',
  );
const MORE: ReadonlyMap<string, number> = new Map(
  Object.entries({ once: 1, twice: 2, dozen: 12, thirty: 30, forty: 40, fifty: 50, hundred: 100, thousand: 1_000 }),
);
const ABOUT = /^(?:about|around|roughly|nearly|almost|approximately|some|circa|~)$/;

export interface Amount {
  readonly value: number;
  readonly decimals: number;
  /** Unit of a duration, ms; null: no duration. */
  readonly unitMs: number | null;
  /** `%`, or the letters directly behind the digits. */
  readonly suffix: string;
  readonly isAbout: boolean;
  /** Place among the words. */
  readonly at: number;
}

const readNumber = (word: string): { value: number; decimals: number; suffix: string } | null => {
  const [, digits, suffix = ''] = /^(\d{1,15}(?:,\d{3}){0,4}(?:\.\d{1,6})?)(%|x|[a-z]{1,2})?$/.exec(word) ?? [];
  if (digits !== undefined)
    return { value: Number(digits.replaceAll(',', '')), decimals: digits.split('.')[1]?.length ?? 0, suffix };
  const at = SPELLED.indexOf(word);
  const value = MORE.get(word) ?? (at === 0 || at > 1 ? at : undefined);
  return value === undefined ? null : { value, decimals: 0, suffix: /ce$/.test(word) ? 'times' : '' };
};
const unitOf = (word: string): number | null => UNITS.find(([pattern]) => pattern.test(word))?.[1] ?? null;

/** Amounts among words in small letters. */
export const amountsIn = (words: readonly string[]): readonly Amount[] =>
  words.flatMap((word, at) => {
    const read = readNumber(word);
    if (read === null) return [];
    const next = words[at + 1] ?? '';
    const suffix = read.suffix || (/^(?:%|percent|times)$/.test(next) ? next.replace('percent', '%') : '');
    const unitMs = unitOf(read.suffix) ?? (read.suffix === '' ? unitOf(next) : null);
    return [{ ...read, suffix, unitMs, isAbout: ABOUT.test(words[at - 1] ?? ''), at }];
  });

/** True if the fact rounds to the amount: to its digits, by a tenth behind `about`, large numbers to two digits. */
const agrees = (fact: number, { value, decimals, isAbout, suffix }: Amount): boolean =>
  Math.abs(fact - value) <= 0.5 * 10 ** -decimals ||
  (isAbout && Math.abs(fact - value) <= 0.1 * value) ||
  (decimals === 0 && value >= 100 && Number(fact.toPrecision(2)) === value) ||
  (suffix === '%' && fact <= 1 && Math.abs(fact * 100 - value) <= 0.5);
export const agreesInMs = (ms: number, amount: Amount): boolean =>
  amount.unitMs !== null && agrees(ms / amount.unitMs, { ...amount, suffix: '' });

const SHORTEST = 4;
/** `eviction` and `evicted`, `sync` and `synchronisation`. */
export const isAlike = (one: string, other: string): boolean => {
  const [short = '', long = ''] = [stemOf(one), stemOf(other)].sort((a, b) => a.length - b.length);
  return short === long || (short.length >= SHORTEST && long.startsWith(short));
};

const DAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
const DAY_MS = 86_400_000;
const dayOf = (ms: number): number => Math.floor(ms / DAY_MS);
const TIMES = /^(?:\d{4}-\d\d-\d\d(?:t[\d:.]+z?)?|\d{1,2}:\d\d(?::\d\d)?z?|today|yesterday|tonight)$/;

/** Words for times and days, UTC. */
export const timesIn = (words: readonly string[]): readonly string[] =>
  words.filter((word) => TIMES.test(word) || DAYS.includes(word));
export const isAt = (ms: number, word: string, now: number): boolean => {
  if (word === 'today' || word === 'tonight') return dayOf(ms) === dayOf(now);
  if (word === 'yesterday') return dayOf(ms) === dayOf(now) - 1;
  if (DAYS.includes(word)) return DAYS[new Date(ms).getUTCDay()] === word && now - ms < 7 * DAY_MS;
  const iso = new Date(ms).toISOString().toLowerCase();
  return word.includes('-')
    ? iso.startsWith(word.replace(/z$/, ''))
    : iso.slice(11).startsWith(word.replace(/z$/, '').padStart(5, '0'));
};
