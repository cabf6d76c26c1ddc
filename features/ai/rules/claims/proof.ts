import { durationText } from '#domain/numbers.ts';
import { clockTime } from '#features/ai/rules/findings.ts';
import { type Amount, agreesInMs, isAt } from './amounts.ts';
import type { Clause } from './clause.ts';
import { ORDER } from './lexicon.ts';
import { factOf, type Row } from './rows.ts';

/** The proven part of a clause, in our own words. */
export interface Proven {
  readonly says: readonly string[];
  readonly rows?: readonly Row[];
  /** Amounts and times of the clause that it accounts for. */
  readonly amounts?: readonly Amount[];
  readonly times?: readonly string[];
  /** Accounts for a denial, or for words like `all`. */
  readonly denies?: boolean;
  readonly every?: true;
}
/** Null: asserted and not proven; undefined: not asserted. */
export type Proof = Proven | null | undefined;
export type Prove = (clause: Clause) => Proof;

export const isOpen = ({ state, ended }: Row): boolean =>
  ended === null && (state === 'open' || state === 'acknowledged');
export const isEnded = ({ state, ended }: Row): boolean => state === 'ended' || ended !== null;
export const isWell = (row: Row): boolean => row.state === 'healthy' || isEnded(row);
export const isTimed = (row: Row): row is Row & { readonly began: number } => row.title !== null && row.began !== null;

/** Length of a quoted title; a claim has room for two. */
const TITLE = 120;
const clipped = (text: string): string => (text.length <= TITLE ? text : `${text.slice(0, TITLE - 1).trimEnd()}…`);
const nameless = ({ name, title, item }: Row): string =>
  name === title ? `event ${item.id}` : `event ${item.id} on ${name}`;

/** A title that addresses its reader is not quoted. */
export const quoted = (row: Row): string => {
  const { title, name, item } = row;
  if (title !== null && ORDER.test(title)) return nameless(row);
  return title === null
    ? item.kind === 'group'
      ? `incident "${name}"`
      : name
    : title === name
      ? `"${clipped(title)}"`
      : `"${clipped(title)}" on ${name}`;
};

type Telling = Pick<Clause, 'now' | 'isStored'>;
/** `critical, open since 2026-11-20 10:00 UTC, 95 min ago`. */
const stateOf = ({ item, state, began, ended }: Row, { now, isStored }: Telling): string => {
  const age = began === null || isStored ? '' : `, ${durationText(Math.max(0, now - began))} ago`;
  const started = began === null || ended !== null ? '' : clockTime(began);
  const since = started === '' ? '' : state === 'ended' ? `, started ${started}` : ` since ${started}${age}`;
  const span =
    began === null || ended === null
      ? ''
      : ` from ${clockTime(began)} to ${clockTime(ended)}, ${durationText(ended - began)}`;
  const noted = state === 'open' ? 'open, not acknowledged,' : state === 'ended' ? 'resolved' : (state ?? 'seen');
  return [factOf(item, 'severity') ?? [], `${noted}${since}${span}`].flat().join(', ');
};
export const described = (row: Row, telling: Telling): string => {
  if (row.title !== null || row.item.kind === 'group') return `${quoted(row)}: ${stateOf(row, telling)}.`;
  const facts = row.item.facts.filter(({ isFreeText }) => !isFreeText).slice(0, 3);
  return `${row.name}: ${facts.map(({ name, value }) => `${name} ${value}`).join(', ') || 'in evidence'}.`;
};

/** Rows as they are, with the amounts that are their age or duration, and the times at which they began or ended. */
export const told = (rows: readonly Row[], clause: Clause, more: Partial<Proven> = {}): Proof => {
  const { amounts, times, now } = clause;
  const spans = rows.flatMap(({ began, ended }) =>
    began === null ? [] : ended === null ? [now - began] : [ended - began, now - began],
  );
  const dates = rows.flatMap(({ began, ended }) => [began, ended].filter((ms) => ms !== null));
  return rows.length === 0
    ? null
    : {
        says: rows.slice(0, 3).map((row) => described(row, clause)),
        rows,
        amounts: amounts.filter((amount) => spans.some((ms) => agreesInMs(ms, amount))),
        times: times.filter((word) => dates.some((ms) => isAt(ms, word, now))),
        ...more,
      };
};
