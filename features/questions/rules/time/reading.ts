import { itemAt } from '#domain/known.ts';
import type { Calendar } from './calendar.ts';

/** From, and before, in ms: a day, a month; of a moment both are equal. */
export interface Period {
  readonly from: number;
  readonly to: number;
}

/** Words in lower case, and when and where they are said. */
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

/** Reads at a word; null when it says nothing of the kind. */
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
