import { firstItem } from '#domain/assert.ts';
import { wordsOf } from '#features/analyzer/rules/catalogue/found-names.ts';
import { CATALOGUE } from '#features/analyzer/rules/catalogue/software.ts';
import { roleWordsIn } from './role-words.ts';

const MAX_PATTERNS = 10;
const SHORTEST = 4;
/** Titles, and languages that capitalize nouns: there a capital identifies no name. */
const MANY_CAPITALS = 0.25;

/** `shop-db-01`, `app01`: names of machines that are numbered. */
const NUMBERED = /^(?:[a-z][a-z0-9]{0,62}(?:-[a-z0-9]{1,62}){0,6}-[a-z]{0,10}\d{1,6}|[a-z]{2,40}0\d{1,5})$/i;
const QUOTED = /["“„']([\p{L}\p{N}][\p{L}\p{N}-]{2,40})["”“']/gu;
/** Words that many machines of any service have in their names, or that are none. */
const GENERAL: ReadonlySet<string> = new Set(
  (
    'this that these those there they with from each every also when where which while after before about against their your our ' +
    'server servers system systems service services host hosts machine machines cluster production test staging development linux ' +
    'windows unix ubuntu debian redhat centos virtual cloud azure amazon google users customer customers internal external customer'
  ).split(' '),
);
const VENDOR_WORDS: ReadonlySet<string> = new Set(
  CATALOGUE.flatMap(({ vendor, names }) =>
    [vendor.toLowerCase(), ...names].flatMap((text) => text.split(/[^a-z0-9]+/)),
  ),
);

const isGeneral = (word: string): boolean =>
  GENERAL.has(word) || VENDOR_WORDS.has(word) || roleWordsIn(word).some((found) => found.word === word);

const isProper = (word: string): boolean => word.length >= SHORTEST && /^[A-Z][a-z0-9]+$/.test(word);

/** Proper names within sentences. */
function properNames(text: string): string[] {
  const words = wordsOf(text);
  const capitals = words.filter((word) => /^\p{Lu}/u.test(word)).length;
  if (capitals > MANY_CAPITALS * words.length) return [];
  const sentences = text.split(/[.!?:\n]\s/);
  const within = sentences.flatMap((sentence) => wordsOf(sentence).slice(1));
  return within.filter((word) => isProper(word) && !isGeneral(word.toLowerCase()));
}

const quotedNames = (text: string): string[] =>
  [...text.matchAll(QUOTED)].map(([, name = '']) => name).filter((name) => !isGeneral(name.toLowerCase()));

/** `shop-db-01.example.net` → `shop-db-*`. */
const numbered = (word: string): string | null => {
  const host = firstItem(word.split('.'));
  return NUMBERED.test(host) ? `${host.toLowerCase().replace(/\d{1,6}$/, '')}*` : null;
};

/** Patterns of the names of machines that a description speaks of; `*` stands for any characters. */
export function hostPatternsIn(text: string): string[] {
  const hosts = wordsOf(text).flatMap((word) => numbered(word) ?? []);
  const names = [...quotedNames(text), ...properNames(text)].map((name) => `*${name.toLowerCase()}*`);
  return [...new Set([...hosts, ...names])].slice(0, MAX_PATTERNS);
}
