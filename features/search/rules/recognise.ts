import { Lru } from '#domain/lru.ts';
import { plainWords } from '#domain/plain-words.ts';
import { stemOf } from '#domain/search/stem.ts';
import { DATA } from './concepts/data.ts';
import { MACHINES } from './concepts/machines.ts';
import { NETWORKS } from './concepts/networks.ts';
import { SOFTWARE } from './concepts/software.ts';

/** Concepts of operations with many words. */
export const CONCEPTS = [MACHINES, NETWORKS, SOFTWARE, DATA].flatMap((concepts) =>
  Object.entries(concepts).map(([name, rules]) => ({ name, rules })),
);

/** Maximum number of other words between those of a rule. */
const BETWEEN = 3;

interface Rule {
  readonly concept: string;
  readonly places: number;
}
interface RulePlace {
  readonly rule: Rule;
  readonly place: number;
}

const placesOf = (concept: string, text: string): (readonly [stem: string, RulePlace])[] => {
  const places = text.split(' ');
  const rule: Rule = { concept, places: places.length };
  return places.flatMap((words, place) =>
    [...new Set(words.split('|').map(stemOf))].map((stem) => [stem, { rule, place }] as const),
  );
};

/** Places of a stem. */
const PLACES: ReadonlyMap<string, readonly (readonly [stem: string, RulePlace])[]> = Map.groupBy(
  CONCEPTS.flatMap(({ name, rules }) => rules.flatMap((text) => placesOf(name, text))),
  ([stem]) => stem,
);

/** Names of the concepts of which a rule has the word, in any form. */
export const conceptsOfWord = (word: string): ReadonlySet<string> =>
  new Set(
    plainWords(word)
      .split(' ')
      .flatMap((part) => (PLACES.get(stemOf(part)) ?? []).map(([, { rule }]) => rule.concept)),
  );

/** True if rules contain the word, in any form: it is not a typing error even if no document has it. */
export const isSpoken = (word: string): boolean => PLACES.has(stemOf(plainWords(word)));

/** `can't` is cannot, `isn't` is not, and `i/o` is one word. */
const spelt = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll('’', "'")
    .replace(/\bcan't\b|\bcan not\b/g, 'cannot')
    .replace(/n't\b/g, ' not')
    .replace(/\bi\/o\b/g, 'io');

/** The stems of a text, in their order. */
const stemsOf = (text: string): string[] => {
  const words = plainWords(spelt(text));
  return words === '' ? [] : words.split(' ').map(stemOf);
};

/** Last positions at which each place of a rule was seen. */
class Sightings {
  readonly #last: number[];

  constructor({ places }: Rule) {
    this.#last = new Array<number>(places).fill(Number.NEGATIVE_INFINITY);
  }

  /** True if all places are near by now. A word fills one place at a time. */
  see(place: number, at: number): boolean {
    if (this.#last.includes(at)) return false;
    this.#last[place] = at;
    return at - Math.min(...this.#last) < this.#last.length + BETWEEN;
  }
}

/** Names of the concepts that a text speaks of, without repeats. */
export const conceptsIn = (text: string): string[] => {
  const found = new Set<string>();
  const seen = new Map<Rule, Sightings>();
  let at = -1;
  for (const stem of stemsOf(text)) {
    at += 1;
    const places = PLACES.get(stem);
    // Most words are in no rule.
    if (places === undefined) continue;
    for (const [, { rule, place }] of places) {
      if (found.has(rule.concept)) continue;
      const sightings = seen.get(rule) ?? new Sightings(rule);
      seen.set(rule, sightings);
      if (sightings.see(place, at)) found.add(rule.concept);
    }
  }
  return [...found];
};

export type ConceptsOf = (line: string) => readonly string[];

/** Characters of lines remembered. */
const REMEMBERED = 4_000_000;

/** Documents of a fleet repeat its names and titles. */
export const openConcepts = (): ConceptsOf => {
  const known = new Lru<string, { readonly line: string; readonly concepts: readonly string[] }>(
    REMEMBERED,
    ({ line }) => line.length,
  );
  return (line) => {
    const before = known.get(line);
    if (before !== undefined) return before.concepts;
    const concepts = conceptsIn(line);
    known.set(line, { line, concepts });
    return concepts;
  };
};
