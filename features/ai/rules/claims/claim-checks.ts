import { type Claim, type EvidenceItem, type EvidencePack, MAX_CLAIM_TEXT, MAX_REFS } from '#domain/ai/evidence.ts';
import { isEnglish } from './language.ts';
import { isNamedSubject, looksLikeName, numberIn, spelledNumber, type Word, wordsOf } from './words.ts';

/* Small words can invert a sentence: "db-01 has no dependents" contains every word of a true one. */

interface Stated {
  readonly value: number;
  readonly decimals: number;
  readonly unit: string;
}

/** Factors from the unit of a fact to that of a claim. */
const MS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  sec: 1_000,
  secs: 1_000,
  second: 1_000,
  seconds: 1_000,
  m: 60_000,
  min: 60_000,
  mins: 60_000,
  minutes: 60_000,
  h: 3_600_000,
  hr: 3_600_000,
  hrs: 3_600_000,
  hours: 3_600_000,
  d: 86_400_000,
  days: 86_400_000,
};
const SCALES = [1, 1_000, 60_000, 3_600_000, 86_400_000];
/** Value from which a number may be rounded to two digits. */
const LARGE = 100;

/** The unit in ms that the name of a fact ends in: `gapMs`, `duration_seconds`; null: none. */
const unitOf = (name: string): number | null => {
  const word = /(?:^|[_\s(a-z])(ms|seconds|sec|s|minutes|min|hours|days)\)?$/i.exec(
    name.replace(/([a-z])([A-Z])/g, '$1 $2'),
  )?.[1];
  return word === undefined ? null : (MS[word.toLowerCase()] ?? null);
};

const rounds = (fact: number, { value, decimals }: Stated): boolean => {
  if (Math.abs(Math.abs(fact) - value) <= 0.5 * 10 ** -decimals + 1e-9 * Math.abs(fact)) return true;
  return decimals === 0 && value >= LARGE && Number(Math.abs(fact).toPrecision(2)) === value;
};

const agrees = (fact: number, unit: number | null, stated: Stated): boolean => {
  if (rounds(fact, stated)) return true;
  if (stated.unit === '%') return Math.abs(fact) <= 1 && rounds(fact * 100, stated);
  return unit !== null && SCALES.some((scale) => rounds((fact * unit) / scale, stated));
};

/** Not those within times, dates, addresses and names. */
const NUMBERS = /(?<![\w.:/-])-?\d{1,15}(?:\.\d{1,9})?(?![\d:/-]|\.\d)/g;

const numbersIn = (text: string): number[] => [...text.matchAll(NUMBERS)].map(([digits]) => Math.abs(Number(digits)));

/** True if the number occurs in one of the items: unchanged, rounded, as a percentage, or in another unit of time. */
const standsInFacts = (stated: Stated, items: readonly EvidenceItem[]): boolean =>
  items.some(({ label, facts }) => {
    if (numbersIn(label).some((fact) => agrees(fact, null, stated))) return true;
    return facts.some(({ name, value }) =>
      typeof value === 'number'
        ? agrees(value, unitOf(name), stated)
        : numbersIn(value).some((fact) => agrees(fact, null, stated)),
    );
  });

/* Sentences that name a root cause, recognized by their words. */

/** Words after, or before, the cause. */
const BEFORE =
  /\b(?:caus(?:ed|es|ing)(?! by)|led to|leads to|leading to|trigger(?:ed|s|ing)(?! by)|brought down|took down|explains?|explained(?! by)|(?:is|was|be|are|were) (?:\w+ ){0,3}(?:cause|culprit|origin|reason|root)|result(?:ed|s|ing) in)\b/i;
const BEHIND =
  /\b(?:caus(?:ed|es|ing) by|cause (?:is|was|of .{1,80} (?:is|was))|(?<!\bno )root cause:?|due to|because(?: of)?|trigger(?:ed|s) by|explained by|(?:result|consequence)s? (?:of|from)|(?:stem|result|originat)(?:s|ed|ing)? from|down to|blame[sd]?|owing to|after effect of)\b/i;

const nameOf = (label: string): string => label.toLowerCase();

/** Returns the items whose label occurs in the text, with the position of the first or last one. */
const namedIn = (text: string, pack: EvidencePack, which: 'first' | 'last'): { alias: string; at: number } | null => {
  const lower = text.toLowerCase();
  const found = pack
    .filter(({ label }) => label.length > 1)
    .map(({ alias, label }) => ({
      alias,
      at: which === 'first' ? lower.indexOf(nameOf(label)) : lower.lastIndexOf(nameOf(label)),
    }))
    .filter(({ at }) => at >= 0)
    .sort((a, b) => (which === 'first' ? a.at - b.at : b.at - a.at));
  return found[0] ?? null;
};

/** The claim names a cause that is none of the candidates, or one of which it is not clear that it is. */
const namesOtherCause = ({ text, refs }: Claim, pack: EvidencePack, causes: readonly string[]): boolean => {
  const [before, behind] = [BEFORE.exec(text), BEHIND.exec(text)];
  if (before === null && behind === null) return false;
  if (!refs.some((ref) => causes.includes(ref))) return true;
  const cited = pack.filter(({ alias }) => refs.includes(alias));
  const named =
    before !== null && (behind === null || before.index < behind.index)
      ? namedIn(text.slice(0, before.index), cited, 'last')
      : behind && namedIn(text.slice(behind.index + behind[0].length), cited, 'first');
  if (named === null) return false;
  const label = cited.find(({ alias }) => alias === named.alias)?.label;
  return !cited.some((item) => causes.includes(item.alias) && item.label === label);
};

const NEGATION =
  /\b(?:not|no|none|never|nothing|nobody|nowhere|neither|nor|without|cannot|lacks?|absent|missing|\w{1,12}n['’]t)\b/i;
/** Phrases that are no negation: "not only", "no longer than", "cannot be ruled out". */
const NO_DENIAL = /\b(?:not (?:only|just|least)|no doubt|no later than|no less than|no more than)\b/gi;
/** Facts that support a denial, beside denials in their own words. */
const EMPTY: ReadonlySet<string> = new Set(['0', 'false', 'none', 'null', '', '-', 'unknown', 'n/a']);
const UNABLE =
  /\b(?:un(?:reachable|available|able|known|bound|resolved|acknowledged|responsive)|fail(?:s|ed|ing|ure)?|lost|down|refused|denied|offline|dead|timed? ?out|timeout|single|empty)\b/i;

const deniesItself = ({ label, facts }: EvidenceItem): boolean =>
  [label, ...facts.map(({ name, value }) => `${name} ${value}`)].some(
    (text) => NEGATION.test(text) || UNABLE.test(text),
  ) || facts.some(({ value }) => EMPTY.has(String(value).trim().toLowerCase()));

/** The claim denies something, and none of its cited items contains an absence, emptiness or failure. */
const deniesWithoutGround = (text: string, cited: readonly EvidenceItem[]): boolean =>
  NEGATION.test(text.replace(NO_DENIAL, '')) && !cited.some(deniesItself);

/** Checks in order. */
export const CLAIM_CHECKS = ['shape', 'refs', 'links', 'language', 'numbers', 'names', 'negation', 'cause'] as const;
export type ClaimCheck = (typeof CLAIM_CHECKS)[number];

const LINKS = /https?:|ftp:|javascript:|data:|www\.|<\/?[a-z!]|&[a-z#][a-z0-9]{0,8};|!\[|\]\(|\]\[|\[\[|```/i;

/** An item as a claim may quote it. */
interface Quoted {
  readonly item: EvidenceItem;
  /** All its texts, in lower case. */
  readonly text: string;
}

const textOf = ({ alias, kind, id, label, facts }: EvidenceItem): string =>
  [alias, kind, id, label, ...facts.flatMap(({ name, value }) => [name, String(value)])].join('\n').toLowerCase();

const isWordPart = (character: string | undefined): boolean =>
  character !== undefined && /[\p{L}\p{N}_]/u.test(character);

/** True if the word occurs in the text, and is no part of a longer one. */
const stands = (text: string, word: string): boolean => {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1))
    if (!isWordPart(text[at - 1]) && !isWordPart(text[at + word.length])) return true;
  return false;
};

/** Times as users write them: a fact has `2026-11-20T10:00:00.000Z`. */
const standsAsTime = (text: string, word: string): boolean =>
  /^[\d:.tz-]+$/.test(word) &&
  /^\d{2}:\d{2}|^\d{4}-\d{2}-\d{2}/.test(word) &&
  [' ', 't', '\n', ''].some((before) => text.includes(`${before}${word.replace(/z$/, '')}`));

/** The word, each of its parts joined by a slash, or its singular. */
const isQuoted = (text: string, word: string): boolean =>
  stands(text, word) ||
  standsAsTime(text, word) ||
  (word.endsWith('s') && stands(text, word.slice(0, -1))) ||
  (word.includes('/') && word.split('/').every((part) => part !== '' && isQuoted(text, part)));

const wrongWord =
  ({ refs }: Claim, cited: readonly Quoted[], names: ReadonlySet<string>) =>
  (word: Word, at: number, words: readonly Word[]): ClaimCheck | null => {
    const lower = word.text.toLowerCase();
    const spelled = spelledNumber(word.text);
    const number = numberIn(word.text) ?? (spelled === null ? null : { value: spelled, decimals: 0, unit: '' });
    if (number !== null) {
      const items = cited.map(({ item }) => item);
      return standsInFacts(number, items) ? null : 'numbers';
    }
    const isName = looksLikeName(word) || names.has(lower) || isNamedSubject(word, words[at + 1]);
    return !isName || refs.includes(word.text) || cited.some(({ text }) => isQuoted(text, lower)) ? null : 'names';
  };

/** Names of items, in lower case: a claim that has one cites its item. */
const namesOf = (pack: EvidencePack): ReadonlySet<string> =>
  new Set(pack.map(({ label }) => label.toLowerCase()).filter((label) => !/\s/.test(label) && label.length > 2));

export interface Checking {
  readonly pack: EvidencePack;
  /** Aliases of the items that may be named as a cause; undefined: no claim is about causes. */
  readonly causes: readonly string[] | undefined;
}

/** The first check that a claim of a model fails; null when it passes all. */
export const failedCheck = (claim: Claim, { pack, causes }: Checking): ClaimCheck | null => {
  const { text, refs } = claim;
  if (text === '' || text.length > MAX_CLAIM_TEXT || refs.length === 0 || refs.length > MAX_REFS) return 'shape';
  const items = refs.map((ref) => pack.find(({ alias }) => alias === ref));
  const cited = items.flatMap((item) => (item === undefined ? [] : [{ item, text: textOf(item) }]));
  if (cited.length < refs.length) return 'refs';
  if (LINKS.test(text)) return 'links';
  if (!isEnglish(text, (word) => cited.some((one) => stands(one.text, word)))) return 'language';
  const wrong = wordsOf(text)
    .map(wrongWord(claim, cited, namesOf(pack)))
    .find((check) => check !== null);
  if (wrong !== undefined) return wrong;
  if (
    deniesWithoutGround(
      text,
      cited.map(({ item }) => item),
    )
  )
    return 'negation';
  return namesOtherCause(claim, pack, causes ?? []) ? 'cause' : null;
};
