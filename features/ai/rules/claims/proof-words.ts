import { type Amount, agreesInMs, amountsIn, isAlike, isAt } from './amounts.ts';
import { type Clause, meant, namesIn, shared } from './clause.ts';
import {
  DENIAL,
  FIXED,
  FUTURE,
  GOOD,
  LACKS,
  LOOK,
  NO_CAUSE,
  NOW,
  ORDER,
  OUTLOOK,
  PAST,
  plainWordsOf,
  UNDISTURBED,
  UNKNOWN,
  WAIT,
  WITHOUT,
} from './lexicon.ts';
import { described, isEnded, isOpen, isTimed, type Prove, quoted, told } from './proof.ts';
import { factOf, type Row } from './rows.ts';

/* Texts of monitors and notes, open questions, and careful advice. */

const namedRows = (clause: Clause): readonly Row[] => namesIn(clause.text, clause).flatMap(({ rows }) => rows);

/** A question that the evidence does not answer. */
export const unknown: Prove = (clause) => {
  if (!UNKNOWN.test(clause.text)) return undefined;
  const all = `${clause.text} ${clause.condition}`;
  const isFree = clause.cited.every(({ item }) => (factOf(item, 'assignee') ?? 'none') === 'none');
  const topics = [
    [/\b(?:who|assign\w*|owner|works?)\b/, 'who works on it', isFree],
    [/\b(?:when|how long|until|back|date|eta|end)\b/, 'when it ends', !clause.cited.some(isEnded)],
    [/\b(?:why|cause|reason|origin)\b/, 'the root cause', clause.causes?.length === 0],
  ] as const;
  const said = topics.filter(([pattern]) => pattern.test(all));
  if (said.length === 0 || !said.every(([, , isSo]) => isSo)) return null;
  return { says: [`Not known from the evidence: ${said.map(([, words]) => words).join(', ')}.`] };
};

/** A cause is doubted when something else began earlier. */
export const against: Prove = (clause) => {
  if (!NO_CAUSE.test(clause.text)) return undefined;
  const rows = namesIn(clause.text, clause).length > 0 ? namedRows(clause) : clause.before;
  const row = rows.find(isTimed);
  const earlier = clause.cited
    .filter(isTimed)
    .find((one) => row !== undefined && one.name !== row.name && one.began < row.began);
  if (row === undefined || earlier === undefined || rows.some(({ item }) => clause.causes?.includes(item.alias)))
    return null;
  return { says: [`${quoted(row)} may not be the origin: ${quoted(earlier)} came earlier.`], rows: [row, earlier] };
};

const advice =
  (
    said: readonly RegExp[],
    unsaid: RegExp | null,
    find: (clause: Clause) => Row | undefined,
    words: (row: string) => string,
  ): Prove =>
  (clause) => {
    if (!said.some((pattern) => pattern.test(clause.text)) || unsaid?.test(clause.text)) return undefined;
    const row = find(clause);
    return row === undefined ? null : { says: [words(described(row, clause))], rows: [row] };
  };
/** Advice to do nothing yet, as long as an event is open. */
export const wait: Prove = advice(
  [WAIT, UNDISTURBED],
  null,
  (clause) => {
    const until = clause.condition || /\b(?:before|till)\b.*/.exec(clause.text)?.[0];
    return [
      ...meant(until ?? clause.text, clause),
      ...(until === undefined ? namedRows(clause) : meant('', clause)),
    ].find(isOpen);
  },
  (row) => `Better wait until it has ended: ${row}`,
);
export const look: Prove = advice(
  [LOOK],
  null,
  (clause) => meant(clause.text, clause).find(({ item }) => item.kind !== 'query'),
  (row) => `Check ${row}`,
);
/** It may get worse as long as it is on. */
export const outlook: Prove = advice(
  [OUTLOOK],
  GOOD,
  (clause) =>
    (DENIAL.test(clause.text)
      ? []
      : [...namedRows(clause), ...(namesIn(clause.text, clause).length > 0 ? [] : clause.cited)]
    ).find(isOpen),
  (row) => `${row} It may get worse.`,
);

/** The numbers of a title, with their unit; 97 % full leaves 3 %. */
const inTitle = ({ title }: Row, { value, suffix }: Amount, { text }: Clause): boolean => {
  const isLeft = suffix === '%' && /\b(?:left|free|remain\w*)\b/.test(text);
  const said = amountsIn(
    (title ?? '')
      .toLowerCase()
      .replaceAll(' %', '%')
      .split(/[\s:;,()]+/),
  );
  return said.some(
    (one) =>
      (one.suffix === '%') === (suffix === '%') && (one.value === value || (isLeft && one.value === 100 - value)),
  );
};
/** The time from one to the other of the rows. */
const isGap = (rows: readonly Row[], amount: Amount): boolean =>
  rows.filter(isTimed).some((one) => rows.filter(isTimed).some((two) => agreesInMs(two.began - one.began, amount)));

/** A monitor has reported it, in its words. */
export const reports: Prove = (clause) => {
  const { text, amounts } = clause;
  const all = meant(text, clause).filter(({ title }) => title !== null && !ORDER.test(title));
  const isDated = ({ began }: Row): boolean =>
    began !== null && clause.times.some((word) => isAt(began, word, clause.now));
  const isTold = (row: Row): boolean => {
    const { alike, other, done } = shared(text, row);
    // `It has expired` differs from `expires in 5 days`.
    if (done || (PAST.test(text) && FUTURE.test(row.title ?? ''))) return false;
    const isNamed = namesIn(text, clause).length > 0;
    return (
      (alike > 0 && alike >= (isNamed ? other : 2 * other)) ||
      amounts.some((one) => inTitle(row, one, clause)) ||
      (other === 0 && isDated(row))
    );
  };
  const rows = all.filter(
    (row) => isTold(row) || namesIn(text, clause).some((name) => [row.title, row.item.alias].includes(name.text)),
  );
  if (rows.length === 0) return undefined;
  if (NOW.test(text) && rows.every(isEnded)) return null;
  const isCount = ({ value, suffix }: Amount): boolean =>
    suffix === '' && value > 1 && value === rows.filter(({ title }) => title === rows[0]?.title).length;
  const own = amounts.filter(
    (one) => rows.some((row) => inTitle(row, one, clause)) || isGap(rows, one) || isCount(one),
  );
  const shown = rows.filter((row, at) => at === 0 || amounts.some((one) => inTitle(row, one, clause)));
  const denies =
    WITHOUT.test(text) &&
    !LACKS.test(text) &&
    shown.every((row) => isOpen(row) && LACKS.test((row.title ?? '').toLowerCase()));
  const spans = told(rows, clause);
  return told(shown, clause, { amounts: [...own, ...(spans?.amounts ?? [])], times: spans?.times ?? [], denies });
};

/** The resolution in a note. */
export const wasFixed: Prove = (clause) => {
  if (!FIXED.test(clause.text)) return undefined;
  const words = plainWordsOf(clause.text);
  const isTold = (note: string): boolean => {
    const own = note
      .toLowerCase()
      .split(/[^a-z0-9]+/)
      .filter((one) => one !== '');
    return words.filter((word) => own.some((one) => isAlike(word, one))).length >= Math.max(1, words.length / 2);
  };
  const row = [...clause.cited, ...clause.before].find(({ item }) =>
    isTold(String(factOf(item, 'resolution', 'resolution notes') ?? '')),
  );
  return (
    row && {
      says: [`Resolved before, as noted: "${factOf(row.item, 'resolution', 'resolution notes')}".`],
      rows: [row],
    }
  );
};
