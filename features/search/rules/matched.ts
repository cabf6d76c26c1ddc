import { plainWords } from '#domain/plain-words.ts';
import type { SearchDocument } from '#domain/search/document.ts';
import { isNearly } from '#domain/search/nearly.ts';
import { stemOf } from '#domain/search/stem.ts';
import type { ReadSearch } from './read-search.ts';
import { conceptsIn, conceptsOfWord, isSpoken } from './recognise.ts';

const MAX_SNIPPET = 200;
/** Left of the first word that was found. */
const BEFORE = 60;
/** Shorter words are never treated as mistyped. */
const MAY_ERR = /^\p{L}{3,}$/u;

const stemsOf = (text: string): string[] => {
  const words = plainWords(text);
  return words === '' ? [] : words.split(' ').map(stemOf);
};

const holds = (stems: readonly string[], wanted: readonly string[]): boolean =>
  stems.some((_, at) => wanted.every((stem, i) => stems[at + i] === stem));

/** Those words that a text has, in any form. */
const wordsWithin = (text: string, words: readonly string[]): string[] => {
  const stems = stemsOf(text);
  return words.filter((word) => holds(stems, stemsOf(word)));
};

/** Returns words that match with typing errors only. */
const misspelt = (text: string, words: readonly string[]): string[] => {
  const there = new Set(plainWords(text).split(' '));
  return words.filter((word) => MAY_ERR.test(word) && [...there].some((one) => isNearly(plainWords(word), one)));
};

/** Words of a search that none of the documents has and no rule knows: they may be mistyped. */
export const strangeWords = (documents: readonly SearchDocument[], { words }: ReadSearch): string[] => {
  const met = new Set(documents.flatMap(({ title, text }) => wordsWithin(`${title}\n${text}`, words)));
  return words.filter((word) => !met.has(word) && MAY_ERR.test(word) && !isSpoken(word));
};

/** The parts of a search that a document matches: words as they were typed, then names of concepts. `strange`: words that may be mistyped. */
export const matchedIn = (
  document: SearchDocument,
  { words, concepts }: ReadSearch,
  strange: readonly string[],
): string[] => {
  const text = `${document.title}\n${document.text}`;
  const found = wordsWithin(text, words);
  const nearly = misspelt(text, strange);
  const spoken = concepts.filter((concept) => document.concepts?.includes(concept));
  return [...new Set([...words.filter((word) => found.includes(word) || nearly.includes(word)), ...spoken])];
};

const WIDER: ReadonlyMap<string, string> = new Map([
  ['bad-release', 'deployment'],
  ['certificate-expired', 'certificate'],
  ['backup-failed', 'backup'],
  ['cluster-eviction', 'cluster'],
]);
const LITTLE = 0.25;

/** The share of a search, its words and its concepts, that a document speaks of, 0 to 1: in its title alone, and at all. */
export function coverage(
  document: SearchDocument,
  { words, concepts }: ReadSearch,
  strange: readonly string[],
): { readonly title: number; readonly all: number } {
  const { title } = document;
  const wide = new Set(concepts.flatMap((concept) => WIDER.get(concept) ?? []));
  const weigh = (some: readonly string[]): number =>
    some.reduce((sum, concept) => sum + (wide.has(concept) ? LITTLE : 1), 0);
  const wanted = words.length + weigh(concepts);
  if (wanted === 0) return { title: 0, all: 0 };
  const share = (text: string, spoken: readonly string[]): number => {
    const meant = concepts.filter((concept) => spoken.includes(concept));
    // A word that a concept stands for is there in other words.
    const said = words.filter((word) =>
      meant.some((concept) => !wide.has(concept) && conceptsOfWord(word).has(concept)),
    );
    const found = new Set([...wordsWithin(text, words), ...misspelt(text, strange), ...said]);
    return (found.size + weigh(meant)) / wanted;
  };
  return { title: share(title, conceptsIn(title)), all: share(`${title}\n${document.text}`, document.concepts ?? []) };
}

/** Returns the position of the first word in any form; 0 without a match. */
const placeIn = (line: string, words: readonly string[]): number => {
  const lower = line.toLowerCase();
  const places = words
    .map((word) => lower.indexOf(word.slice(0, Math.max(3, word.length - 3))))
    .filter((at) => at >= 0);
  return places.length === 0 ? 0 : Math.min(...places);
};

const cut = (line: string, words: readonly string[]): string => {
  if (line.length <= MAX_SNIPPET) return line;
  const from = Math.min(Math.max(0, placeIn(line, words) - BEFORE), line.length - MAX_SNIPPET);
  const piece = line.slice(from, from + MAX_SNIPPET).trim();
  return `${from > 0 ? '… ' : ''}${piece}${from + MAX_SNIPPET < line.length ? ' …' : ''}`;
};

/** The line of the text that has most of the words, shortened around them. */
export function snippetOf({ text }: SearchDocument, { words }: ReadSearch): string {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const scored = lines.map((line) => ({ line, count: wordsWithin(line, words).length }));
  const best = scored.reduce((one, other) => (other.count > one.count ? other : one), { line: '', count: -1 });
  return cut(best.line, words);
}
