import { plainWords } from '#domain/plain-words.ts';
import { conceptsIn } from './recognise.ts';

/** Words without meaning in a search. */
const SILENT: ReadonlySet<string> = new Set(
  [
    'a about all am an and any are as at be been but by can could did do does for from had has have how i if in into is it its just',
    'me my no not of on or our please s show should so t tell than that the their them then there these they this those to us was',
    'went goes going got we were what when where which who why will with would you your',
  ].flatMap((line) => line.split(' ')),
);
/** Limits of one search. */
const MAX_WORDS = 30;
const MAX_PHRASES = 5;

const QUOTED = /["“”]([^"“”]*)["“”]/g;
/** Punctuation around a word: `(disk)`, `full?`, `db-07's`. */
const AROUND = /^[^\p{L}\p{N}]+|[^\p{L}\p{N}]{1,20}$|['’]s$/gu;

/** A search. */
export interface ReadSearch {
  /** Lowercase words without repeats; a name such as `db-07` is one. */
  readonly words: readonly string[];
  /** The quoted text. */
  readonly phrases: readonly string[];
  readonly concepts: readonly string[];
}

/** True for names of machines, such as `db-07`, which do not describe their purpose. */
const isName = (word: string): boolean => /[\p{L}\p{N}][-_.][\p{L}\p{N}]/u.test(word) && /\d/.test(word);

const wordsIn = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/\s+/)
    .map((word) => word.replace(AROUND, '').replace(AROUND, ''))
    .filter((word) => plainWords(word) !== '');

/** Parses the text of a search. Stop words are dropped, unless there are no others. */
export function readSearch(text: string): ReadSearch {
  const phrases = [...text.matchAll(QUOTED)]
    .map(([, phrase = '']) => phrase.trim())
    .filter((one) => plainWords(one) !== '');
  const spoken = text.split(/\s+/).filter((word) => !isName(word));
  const all = wordsIn(text.replaceAll(/["“”]/g, ' '));
  const telling = all.filter((word) => !SILENT.has(word));
  return {
    words: [...new Set(telling.length > 0 ? telling : all)].slice(0, MAX_WORDS),
    phrases: phrases.slice(0, MAX_PHRASES),
    concepts: conceptsIn(spoken.join(' ')),
  };
}
