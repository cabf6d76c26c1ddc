import { itemAt } from '#domain/assert.ts';
import type { Calendar } from './calendar.ts';

/** Start (inclusive) and end (exclusive) in ms: a day, a month; for a moment both are equal. */
export interface Period {
  readonly from: number;
  readonly to: number;
}

/** Words in lower case, with the time and zone of the question. */
export interface WordsReading {
  readonly words: readonly string[];
  readonly now: number;
  readonly calendar: Calendar;
}

/** The meaning of words, and the number of the first word behind them. */
export interface WordsFound<T> {
  readonly value: T;
  readonly next: number;
}

/** Reads at a word; null without a match. */
export type WordReader<T> = (reading: WordsReading, at: number) => WordsFound<T> | null;

export const found = <T>(value: T, next: number): WordsFound<T> => ({ value, next });

/** The first that reads something. */
export const firstOf =
  <T>(...readers: readonly WordReader<T>[]): WordReader<T> =>
  (reading, at) => {
    for (const reader of readers) {
      const read = reader(reading, at);
      if (read !== null) return read;
    }
    return null;
  };

/** The number of the word behind any of these. */
export const past = ({ words }: Pick<WordsReading, 'words'>, at: number, skipped: ReadonlySet<string>): number => {
  let next = at;
  while (next < words.length && skipped.has(itemAt(words, next))) next++;
  return next;
};
