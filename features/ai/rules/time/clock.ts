import { MINUTE_MS } from './calendar.ts';
import { found, type Period, type WordsFound, type WordsReading } from './reading.ts';

/** A time of day, to be put on a day. */
export type OnDay = (day: Period) => Period;

/** Minutes of the day. */
const NAMED: ReadonlyMap<string, number> = new Map([
  ['noon', 12 * 60],
  ['midday', 12 * 60],
  ['midnight', 0],
]);

const CLOCK = /^(\d{1,2})(?::(\d{2}))?(am|pm)?$/;

interface Time {
  readonly minutes: number;
  /** True if it can only be a time of day. */
  readonly isSure: boolean;
  /** `pm`. */
  readonly isAfternoon: boolean;
}

function timeOf(hour: number, minute: number, half: string | undefined, isSure: boolean): Time | null {
  if (minute > 59 || hour > 24 || (half !== undefined && (hour < 1 || hour > 12))) return null;
  const hours = half === undefined ? hour : (hour % 12) + (half === 'pm' ? 12 : 0);
  return { minutes: 60 * hours + minute, isSure, isAfternoon: half === 'pm' };
}

/** Reads `10:00`, `10am`, `10 pm`, `10 o'clock`, `noon`; a bare hour where only a time of day is possible. */
export function timeAt({ words }: Pick<WordsReading, 'words'>, at: number): WordsFound<Time> | null {
  const word = words[at] ?? '';
  const named = NAMED.get(word);
  if (named !== undefined) return found({ minutes: named, isSure: true, isAfternoon: false }, at + 1);
  const [, hour, minute, half] = CLOCK.exec(word) ?? [];
  if (hour === undefined) return null;
  const behind = words[at + 1] ?? '';
  const apart = half === undefined && (behind === 'am' || behind === 'pm') ? behind : undefined;
  const isClock = behind === "o'clock" || behind === 'oclock';
  const isSure = minute !== undefined || (half ?? apart) !== undefined || isClock;
  const value = timeOf(Number(hour), Number(minute ?? 0), half ?? apart, isSure);
  return value && found(value, at + (apart !== undefined || isClock ? 2 : 1));
}

/** The time of day on a day; days that are longer or shorter by clocks that are put count from midnight on. */
export const onDay =
  ({ calendar }: WordsReading, minutes: number): OnDay =>
  (day) => {
    const { year, month, day: number } = calendar.shown(day.from);
    const time = calendar.at(year, month, number, Math.floor(minutes / 60), minutes % 60);
    return { from: time, to: time };
  };

/** A time of day that can be nothing else. */
export function clockAt(reading: WordsReading, at: number): WordsFound<OnDay> | null {
  const time = timeAt(reading, at);
  return time?.value.isSure ? found(onDay(reading, time.value.minutes), time.next) : null;
}

/** Hours of the day; a night ends on the next morning. */
type Hours = readonly [from: number, to: number];
const NIGHT: Hours = [18, 30];
const LUNCH: Hours = [11.5, 13.5];
const PARTS: ReadonlyMap<string, Hours> = new Map([
  ['lunch', LUNCH],
  ['lunchtime', LUNCH],
  ['morning', [0, 12]],
  ['afternoon', [12, 18]],
  ['evening', [18, 24]],
  ['night', NIGHT],
]);

const between = (reading: WordsReading, [from, to]: Hours, day: Period): Period => ({
  from: onDay(reading, 60 * from)(day).from,
  to: onDay(reading, 60 * to)(day).from,
});
export const night = (reading: WordsReading, day: Period): Period => between(reading, NIGHT, day);

/** The morning, afternoon, evening or night of a day. */
export function dayPartNamed(reading: WordsReading, word: string | undefined, day: Period): Period | null {
  const hours = PARTS.get(word ?? '');
  return hours === undefined ? null : between(reading, hours, day);
}

/** Returns the end of a named period; a moment ends a minute later when it is named as an end. */
export const endOf = ({ from, to }: Period): number => (from === to ? to : Math.max(to, from + MINUTE_MS));
