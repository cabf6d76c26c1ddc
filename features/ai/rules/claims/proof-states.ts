import { type Clause, lists, meant, namesIn, wordsIn } from './clause.ts';
import {
  ACKNOWLEDGED,
  ASSIGNED,
  BEGAN,
  DENIAL,
  DOWN,
  ENDED,
  GOOD,
  NOW,
  OPEN,
  SEVERITIES,
  SPARE,
  TOTAL,
  WITHOUT,
} from './lexicon.ts';
import { isEnded, isOpen, isWell, type Prove, quoted, told } from './proof.ts';
import { factOf, type Row } from './rows.ts';

/* States of events, CIs, services and groups. */

const isStated = ({ state, title }: Row): boolean => state !== null || title !== null;
/** Rows that the clause is about, all of which must be so; none if the evidence lacks a name of the clause. */
const subjects = (clause: Clause): readonly Row[] => {
  const rows = meant(clause.text, clause);
  const cited = rows.filter((row) => clause.cited.includes(row));
  const near = cited.length > 0 ? cited : rows.slice(0, 1);
  // A CI without a known state proves nothing beside its events.
  return near.some(isStated) ? near.filter(isStated) : near;
};
type Holds = (row: Row, clause: Clause) => boolean;

const isDegraded: Holds = (row, { text }) =>
  row.title === null
    ? isOpen(row) && !(TOTAL.test(text) && factOf(row.item, 'health') === 'degraded')
    : isOpen(row) || (!NOW.test(text) && DOWN.test(row.title.toLowerCase()));
/** Missing facts prove nothing: an item has `none` if there is none. */
const isAssigned: Holds = ({ item }, clause) =>
  namesIn(clause.text, clause).some(({ text }) => text === factOf(item, 'assignee'));
const isAcknowledged: Holds = ({ state, item }, clause) => {
  const people = namesIn(clause.text, clause).filter(({ isPerson }) => isPerson);
  const by = factOf(item, 'acknowledged by');
  return state === 'acknowledged' && people.every(({ text }) => text === by);
};
const hasSeverity: Holds = ({ item, title }, { text }) =>
  [...text.matchAll(SEVERITIES)].every(([said]) => {
    const word = said.replace(/s$/, '');
    // A critical service may be well.
    const facts = item.facts.filter(({ name }) => name !== 'criticality' || text.includes(name));
    const isIn = facts.some(({ name, value }) => value === word || (wordsIn(name).includes(word) && value !== 0));
    return isIn || (title ?? '').toLowerCase().includes(word);
  });

/** A state by its words, its test, and the test of its denial. */
const stateOf =
  (said: RegExp, holds: Holds, denied: Holds): Prove =>
  (clause) => {
    if (!said.test(clause.text)) return undefined;
    // `6 services are degraded` is a number, and proven as one.
    if (namesIn(clause.text, clause).length === 0 && clause.amounts.some(({ unitMs }) => unitMs === null))
      return undefined;
    const rows = subjects(clause);
    const denies = DENIAL.test(clause.text.replace(WITHOUT, ' '));
    const test = denies ? denied : holds;
    return rows.length > 0 && rows.every((row) => test(row, clause)) ? told(rows, clause, { denies }) : null;
  };

const never: Holds = () => false;
export const acknowledged: Prove = stateOf(ACKNOWLEDGED, isAcknowledged, ({ state }) => state === 'open');
export const ended: Prove = stateOf(ENDED, isEnded, isOpen);
export const good: Prove = stateOf(GOOD, isWell, isOpen);
export const down: Prove = stateOf(DOWN, isDegraded, isWell);
export const began: Prove = stateOf(BEGAN, (row, { times }) => row.began !== null && times.length > 0, never);
export const open: Prove = stateOf(OPEN, isOpen, isEnded);

const isFree: Holds = ({ item }) => factOf(item, 'assignee') === 'none';
export const assigned: Prove = (clause) => {
  const proof = stateOf(ASSIGNED, isAssigned, isFree)(clause);
  return (
    proof && {
      ...proof,
      says: (proof.rows ?? []).map((row) => `${quoted(row)}: assignee ${factOf(row.item, 'assignee')}.`),
    }
  );
};

const SPARES = 'protected by redundancy';
export const spare: Prove = (clause) => {
  if (!SPARE.test(clause.text)) return undefined;
  const names = namesIn(clause.text, clause);
  const row = clause.cited.find((one) => names.some((name) => lists(one, name, SPARES)));
  if (row === undefined || DENIAL.test(clause.text)) return null;
  const saved = names.filter((name) => lists(row, name, SPARES)).map(({ text }) => text);
  return { says: [`If ${row.name} fails, redundancy protects ${saved.join(', ')}.`], rows: [row] };
};

/** One of the rows has the severity of the clause. */
export const severity: Prove = (clause) => {
  if (clause.text.search(SEVERITIES) < 0) return undefined;
  return told(
    meant(clause.text, clause).filter((row) => hasSeverity(row, clause)),
    clause,
  );
};
