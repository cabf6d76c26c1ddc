import { plainWords } from '#domain/plain-words.ts';
import { stemOf } from '#domain/search/stem.ts';
import { CONCEPTS } from './concepts/concepts.ts';

/** So many other words may stand between those of a rule. */
const BETWEEN = 3;

interface Rule {
  readonly concept: string;
  readonly places: number;
}
interface Place {
  readonly rule: Rule;
  readonly place: number;
}

const placesOf = (concept: string, text: string): (readonly [stem: string, Place])[] => {
  const places = text.split(' ');
  const rule: Rule = { concept, places: places.length };
  return places.flatMap((words, place) =>
    [...new Set(words.split('|').map(stemOf))].map((stem) => [stem, { rule, place }] as const),
  );
};

/** Where a stem may stand. */
const PLACES: ReadonlyMap<string, readonly (readonly [stem: string, Place])[]> = Map.groupBy(
  CONCEPTS.flatMap(({ name, rules }) => rules.flatMap((text) => placesOf(name, text))),
  ([stem]) => stem,
);

/** Whether rules know the word, in any form: it is no typing error where no document has it. */
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

/** When each place of a rule was seen last. */
class Sightings {
  readonly #last: number[];

  constructor({ places }: Rule) {
    this.#last = new Array<number>(places).fill(Number.NEGATIVE_INFINITY);
  }

  /** Whether all places are near by now. A word stands in one place at a time. */
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
  for (const [at, stem] of stemsOf(text).entries())
    for (const [, { rule, place }] of PLACES.get(stem) ?? []) {
      if (found.has(rule.concept)) continue;
      const sightings = seen.get(rule) ?? new Sightings(rule);
      seen.set(rule, sightings);
      if (sightings.see(place, at)) found.add(rule.concept);
    }
  return [...found];
};
