import { type Claim, type EvidenceItem, type EvidencePack, MAX_CLAIM_TEXT, MAX_REFS } from '#domain/ai/evidence.ts';
import { namesOtherCause } from './causes.ts';
import { isEnglish } from './language.ts';
import { deniesWithoutGround } from './negation.ts';
import { standsInFacts } from './numbers.ts';
import { isNamedSubject, looksLikeName, numberIn, spelledNumber, type Word, wordsOf } from './words.ts';

/** In the order in which they are made. */
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

/** The word stands in the text, and is no part of a longer one. */
const stands = (text: string, word: string): boolean => {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1))
    if (!isWordPart(text[at - 1]) && !isWordPart(text[at + word.length])) return true;
  return false;
};

/** Times as people write them: a fact has `2026-11-20T10:00:00.000Z`. */
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
