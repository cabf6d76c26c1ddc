/** The name of a service, by the names of most of its CIs. */
import { firstItem, itemAt } from '#domain/assert.ts';
import { type Bonds, busiestOf } from './bonds.ts';
import { type Infrastructure, isBusinessService } from './infrastructure.ts';
import { environmentOf, type NameWords } from './name-words.ts';

export interface Naming {
  readonly name: string;
  /** Words of the name; empty when the CIs' names have none in common. */
  readonly words: readonly string[];
  /** CIs with the first word in their name, in their order. */
  readonly agreeing: readonly number[];
  /** That most names speak of, or null. */
  readonly environment: string | null;
}

/** Fewer CIs with a word are chance. */
const MIN_AGREEING = 2;
const MIN_SHARE = 0.25;
/** Minimum share of names with the first word that also have the companion word. */
const COMPANION_SHARE = 0.8;
const MAX_WORDS = 3;

/** Abbreviations such as `crm`, `cms` and `hr`, which are not pronounced as words. */
const ABBREVIATION = /^[^aeiouy]{2,4}$/;

const capital = (word: string): string =>
  ABBREVIATION.test(word) ? word.toUpperCase() : word.charAt(0).toUpperCase() + word.slice(1);

const countsOf = <T>(all: Iterable<T>): Map<T, number> => {
  const counts = new Map<T, number>();
  for (const one of all) counts.set(one, (counts.get(one) ?? 0) + 1);
  return counts;
};

/** The word that is most of this service and least of others; null when none is in enough names. */
function firstWord(counts: ReadonlyMap<number, number>, everywhere: readonly number[], members: number): number | null {
  let best: number | null = null;
  let most = 0;
  for (const [word, count] of counts) {
    if (count < Math.max(MIN_AGREEING, MIN_SHARE * members)) continue;
    const weight = (count * count) / itemAt(everywhere, word);
    if (weight > most) [best, most] = [word, weight];
  }
  return best;
}

/** The first word and its companions, in the order of a name that has them. */
function wordsOf(
  first: number,
  members: readonly number[],
  { ofCi }: NameWords,
): { words: number[]; agreeing: number[] } {
  const agreeing = members.filter((ci) => itemAt(ofCi, ci).includes(first));
  const together = countsOf(agreeing.flatMap((ci) => itemAt(ofCi, ci)));
  const companions = [...together].filter(([, count]) => count >= COMPANION_SHARE * agreeing.length);
  const chosen = companions.map(([word]) => word).slice(0, MAX_WORDS);
  if (!chosen.includes(first)) chosen.push(first);
  const example = itemAt(ofCi, firstItem(agreeing));
  return { words: chosen.sort((a, b) => example.indexOf(a) - example.indexOf(b)), agreeing };
}

const majority = (names: readonly (string | null)[]): string | null => {
  const [most] = [...countsOf(names)].sort((a, b) => b[1] - a[1]);
  return most !== undefined && most[1] * 2 > names.length ? most[0] : null;
};

/** The name of the service, when one of its CIs stands for it; null when none does, or several. */
function nameInCmdb(cis: Infrastructure['cis'], members: readonly number[]): string | null {
  const services = members.filter((ci) => isBusinessService(itemAt(cis, ci)));
  return services.length === 1 ? itemAt(cis, firstItem(services)).name : null;
}

type Unnumbered = Naming & { readonly label: string };

function named({ cis }: Infrastructure, words: NameWords, everywhere: readonly number[], bonds: Bonds): Unnumbered {
  const { members } = bonds;
  const environment = majority(members.map((ci) => environmentOf(itemAt(cis, ci).name)));
  const first = firstWord(countsOf(members.flatMap((ci) => itemAt(words.ofCi, ci))), everywhere, members.length);
  const found = first === null ? { words: [], agreeing: [] } : wordsOf(first, members, words);
  const telling = found.words.map((word) => itemAt(words.words, word));
  const suffix = environment === null || environment === 'production' ? '' : ` (${environment})`;
  const madeUp = first === null ? `Around ${itemAt(cis, busiestOf(bonds)).name}` : telling.map(capital).join(' ');
  const label = nameInCmdb(cis, members) ?? madeUp + suffix;
  return { name: '', label, words: telling, agreeing: found.agreeing, environment };
}

/** Names of all services, each different from the others. */
export function nameServices(estate: Infrastructure, words: NameWords, services: readonly Bonds[]): Naming[] {
  const everywhere = new Array<number>(words.words.length).fill(0);
  for (const own of words.ofCi) {
    for (const word of own) everywhere[word] = itemAt(everywhere, word) + 1;
  }
  const used = new Map<string, number>();
  const namings: Naming[] = [];
  for (const bonds of services) {
    const { label, ...naming } = named(estate, words, everywhere, bonds);
    const times = (used.get(label.toLowerCase()) ?? 0) + 1;
    used.set(label.toLowerCase(), times);
    namings.push({ ...naming, name: times === 1 ? label : `${label} ${times}` });
  }
  return namings;
}
