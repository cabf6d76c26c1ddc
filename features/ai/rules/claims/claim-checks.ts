import { type Claim, type EvidencePack, MAX_CLAIM_TEXT, MAX_REFS } from '#domain/ai/evidence.ts';
import { amountsIn, timesIn } from './amounts.ts';
import { type Clause, clausesOf, type Evidence, meant, shared } from './clause.ts';
import { CHANGE, DENIAL, EVERY, LINKS, MODALS, ORDER } from './lexicon.ts';
import type { Proof, Prove, Proven } from './proof.ts';
import { aged, counts, isTogether, precedes, repeats } from './proof-order.ts';
import { depends, impacts, isCaused, isSaid } from './proof-relations.ts';
import { acknowledged, assigned, began, down, ended, good, open, severity, spare } from './proof-states.ts';
import { against, look, outlook, reports, unknown, wait, wasFixed } from './proof-words.ts';
import { namesOf, rowsOf } from './rows.ts';

/* A sentence of a model is read as statements. Each is proven by the rows that it cites, and shown in our own words. */

export const CLAIM_CHECKS = ['shape', 'refs', 'links', 'advice', 'names', 'numbers', 'denial', 'unproven'] as const;
export type ClaimCheck = (typeof CLAIM_CHECKS)[number];

/** Proofs that mention changes without an advice to make one. */
const QUOTED: readonly Prove[] = [wasFixed, wait];
const WHOLE: readonly Prove[] = [unknown, against, look, outlook];
/** Lines of alternatives: the first assertion found counts, and each must be proven. */
const STATED: readonly (readonly Prove[])[] = [
  [isCaused],
  [depends],
  [precedes],
  [repeats],
  [isTogether],
  [acknowledged],
  [assigned],
  [spare, ended, good, impacts, down, open, began],
  [severity],
];

const firstOf = (clause: Clause, proofs: readonly Prove[]): Proof => {
  for (const prove of proofs) {
    const proof = prove(clause);
    if (proof !== undefined) return proof;
  }
  return undefined;
};

const isQuoted = (word: string, { cited }: Clause): boolean =>
  cited.some(
    ({ item, title }) =>
      !ORDER.test(title ?? '') &&
      [item.label, ...item.facts.map(({ value }) => String(value))].some((text) =>
        text
          .toLowerCase()
          .split(/[\s,;:()"]+/)
          .includes(word),
      ),
  );
export const isStrange = (clause: Clause): boolean =>
  clause.strange.some(
    (word) => amountsIn([word]).length === 0 && timesIn([word]).length === 0 && !isQuoted(word, clause),
  );

/** Words that are neither ours nor those of the evidence; a few may be synonyms. */
const MAX_OTHER = 2;
export const isForeign = (clause: Clause): boolean => {
  const rows = [...meant(clause.text, clause), ...clause.cited];
  return rows.length > 0 && Math.min(...rows.map((row) => shared(clause.text, row).other)) > MAX_OTHER;
};

/** The check that rejects an unaccounted part of a clause. */
const gapIn = (clause: Clause, proven: readonly Proven[]): ClaimCheck | null => {
  const { text, amounts, times, cited } = clause;
  const titles = cited.map(({ title }) => (title ?? '').toLowerCase());
  const isTold = (pattern: RegExp): boolean => titles.some((title) => pattern.test(title));
  const numbers = proven.flatMap((one) => one.amounts ?? []);
  const dates = proven.flatMap((one) => one.times ?? []);
  if (amounts.some((one) => !numbers.includes(one)) || times.some((one) => !dates.includes(one))) return 'numbers';
  if (DENIAL.test(text) && !proven.some(({ denies }) => denies) && !isTold(DENIAL)) return 'denial';
  const isCounted = numbers.length > 0 && !/\b(?:everything|everybody|everyone|always|fully|completely)\b/.test(text);
  if (EVERY.test(text) && !proven.some(({ every }) => every) && !isCounted && !isTold(EVERY)) return 'denial';
  return isForeign(clause) ? 'unproven' : null;
};

export const statedIn = (clause: Clause): readonly (Proven | null)[] =>
  STATED.map((line) => firstOf(clause, line)).filter((proof) => proof !== undefined);

const proofOf = (clause: Clause): readonly Proven[] | ClaimCheck => {
  if (isStrange(clause)) return 'names';
  // `If db-1 fails,` asserts nothing.
  if (clause.text === '') return [];
  const quoted = firstOf(clause, QUOTED);
  if (quoted) return [quoted];
  if (CHANGE.test(clause.text)) return 'advice';
  const whole = firstOf(clause, WHOLE);
  if (whole !== undefined) return whole === null ? 'unproven' : [whole];
  if (MODALS.test(clause.text)) return 'advice';
  const stated = statedIn(clause);
  const proven = stated.filter((proof) => proof !== null);
  if (proven.length < stated.length) return 'unproven';
  const more = [counts(clause), ...(proven.length === 0 ? [isSaid(clause)] : []), reports(clause), aged(clause)].filter(
    (proof) => proof !== null && proof !== undefined,
  );
  const all =
    proven.length === 0
      ? more
      : [...proven, ...more.map((one) => ({ ...one, says: one.amounts?.length ? one.says : [] }))];
  if (all.length === 0) return 'unproven';
  return gapIn(clause, all) ?? all;
};

export interface Checking {
  readonly pack: EvidencePack;
  /** Aliases of the items that may be named as a cause; undefined: no claim is about causes. */
  readonly causes: readonly string[] | undefined;
  /** Epoch ms. */
  readonly now: number;
  readonly isStored?: boolean | undefined;
}

const textFrom = (says: readonly string[]): string => {
  const kept: string[] = [];
  for (const one of new Set(says)) if ([...kept, one].join(' ').length <= MAX_CLAIM_TEXT) kept.push(one);
  return kept.join(' ');
};

/** The claim in words of the evidence, or the check that it fails. */
export const provenClaim = (claim: Claim, { pack, causes, now, isStored = false }: Checking): Claim | ClaimCheck => {
  const { text, refs } = claim;
  if (text === '' || text.length > MAX_CLAIM_TEXT || refs.length === 0 || refs.length > MAX_REFS) return 'shape';
  const rows = rowsOf(pack);
  const cited = rows.filter(({ item }) => refs.includes(item.alias));
  if (new Set(refs).size > cited.length) return 'refs';
  if (LINKS.test(text)) return 'links';
  const evidence: Evidence = { rows, names: namesOf(rows), causes, now, isStored };
  const all: Proven[] = [];
  for (const clause of clausesOf(text, cited, evidence)) {
    const proof = proofOf(clause);
    if (typeof proof === 'string') return proof;
    all.push(...proof);
  }
  const told = textFrom(all.flatMap(({ says }) => says));
  if (told === '') return 'unproven';
  if (LINKS.test(told)) return 'links';
  const proofs = all.flatMap((one) => (one.says.length > 0 ? (one.rows ?? []) : [])).map(({ item }) => item.alias);
  return { ...claim, text: told, refs: [...new Set([...refs, ...proofs])].slice(0, MAX_REFS) };
};
