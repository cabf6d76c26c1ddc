import type { Fact } from '#domain/ai/evidence.ts';
import { durationText } from '#domain/numbers.ts';
import { type Amount, agreesInMs, isAlike } from './amounts.ts';
import { type Clause, meant, namesIn, rankOf, wordsIn } from './clause.ts';
import { AFTER, BEFORE, DENIAL, EARLIER, FIRST, GOOD, LATER, TOGETHER } from './lexicon.ts';
import { isOpen, isTimed, type Prove, type Proven, quoted, told } from './proof.ts';
import { factOf, type Row } from './rows.ts';

/* Order, repetition and membership in an incident. */

const timed = (part: string, clause: Clause) => meant(part, clause).filter(isTimed);

const gapBetween = (first: Row & { began: number }, second: Row & { began: number }, clause: Clause): Proven | null => {
  const ms = second.began - first.began;
  const isSaid = ({ unitMs }: Amount): boolean => unitMs !== null;
  const times = told([first, second], clause)?.times ?? [];
  if (ms <= 0 || !clause.amounts.filter(isSaid).every((amount) => agreesInMs(ms, amount))) return null;
  return {
    says: [`${quoted(first)} came ${durationText(ms)} before ${quoted(second)}.`],
    rows: [first, second],
    amounts: clause.amounts.filter(isSaid),
    times,
  };
};

/** The event that a part has words or the name of; "the switch event" may have none of its title. */
const known = (part: string, clause: Clause, not?: Row) =>
  timed(part, clause).find((row) => row !== not && (namesIn(part, clause).length > 0 || rankOf(part, row) > 0));
/** The other cited event, for a part that names nothing. */
const other = (part: string, than: Row | undefined, clause: Clause) =>
  namesIn(part, clause).length > 0
    ? undefined
    : [...clause.before, ...clause.cited].filter(isTimed).find((row) => row !== than);

const ordered = (before: string, after: string, clause: Clause): Proven | null => {
  const one = known(before, clause);
  const later = known(after, clause, one) ?? other(after, one, clause);
  const first = one ?? other(before, later, clause);
  return first === undefined || later === undefined || first === later ? null : gapBetween(first, later, clause);
};

/** `25 seconds after`, but not `after 41 minutes`. */
const cutAt = (text: string, pattern: RegExp): readonly [string, string] | null => {
  const found = pattern.exec(text);
  if (found === null) return null;
  const behind = text.slice(found.index + found[0].length);
  return /^\s*(?:about |around |roughly |nearly |almost |some )*\d|^\s*$/.test(behind)
    ? null
    : [text.slice(0, found.index), behind];
};

export const precedes: Prove = (clause) => {
  const { text } = clause;
  const [before, after] = [cutAt(text, BEFORE), cutAt(text, AFTER)];
  if (/preceded by/.test(text) && after !== null) return ordered(after[1], after[0], clause);
  if (before !== null) return ordered(before[0], before[1], clause);
  if (after !== null) return ordered(after[1], after[0], clause);
  const [row] = timed(text, clause);
  if ((LATER.test(text) || EARLIER.test(text)) && row !== undefined) {
    const others = [...clause.before, ...clause.cited].filter(isTimed).filter((one) => one !== row);
    const pairs = others.map((one) =>
      EARLIER.test(text) ? gapBetween(row, one, clause) : gapBetween(one, row, clause),
    );
    if (pairs.length > 0) return pairs.find((pair) => pair !== null) ?? null;
  }
  if (!FIRST.test(text) || row === undefined) return undefined;
  const group = factOf(row.item, 'group');
  const all = clause.rows.filter(isTimed).filter(({ item }) => factOf(item, 'group') === group);
  if (all.length < 2 || all.some(({ began }) => began < row.began)) return null;
  const says = [`${quoted(row)} came first of the ${all.length} events in evidence.`];
  return told([row], clause, { says, every: true });
};

/** The same complaint of the same host, however often it is listed. */
const alike = (row: Row, rows: readonly Row[]): readonly Row[] =>
  rows.filter(({ title, name }) => title === row.title && name === row.name);

const ORDINALS = ['second', 'third', 'fourth', 'fifth'];
export const repeats: Prove = (clause) => {
  const said = clause.amounts.filter(({ suffix }) => suffix === 'times' || suffix === 'x');
  const isAgain =
    /\b(?:again and again|repeatedly|keeps? (?:coming|happening)|several times|recurr(?:s|ed|ing|ent))\b/.test(
      clause.text,
    );
  const ordinal = ORDINALS.findIndex((one) =>
    new RegExp(`\\b${one} (?:time|outage|failure|occurrence|incident)`).test(clause.text),
  );
  if (said.length === 0 && ordinal < 0 && !isAgain) return undefined;
  const [row] = meant(clause.text, clause).filter(({ title }) => title !== null);
  if (row === undefined) return null;
  const counts = [alike(row, clause.rows).length, Number(factOf(row.item, 'occurrences') ?? 0)].filter((n) => n > 1);
  // Four repetitions are five occurrences.
  const more = /\brepeat/.test(clause.text) ? 1 : 0;
  const isCount = (n: number): boolean =>
    said.every(({ value }) => value === n || value + more === n) && (ordinal < 0 || ordinal + 2 === n);
  const count = counts.find(isCount);
  if (count === undefined) return null;
  // `within a week` is the range of the query.
  return {
    says: [`${quoted(row)}: ${count} times.`],
    amounts: [...said, ...clause.amounts.filter(({ unitMs }) => unitMs !== null)],
    times: [],
  };
};

export const isTogether: Prove = (clause) => {
  if (!TOGETHER.test(clause.text)) return undefined;
  const named = meant(clause.text, clause);
  const events = named.length > 0 ? named : clause.cited;
  const group = ({ item }: Row) => (item.kind === 'group' ? item.id : factOf(item, 'group'));
  const first = events.find((row) => group(row) !== undefined);
  if (first === undefined) return null;
  const mates = events.filter((row) => row.title !== null || row.item.kind === 'group');
  const isOther = (row: Row): boolean => group(row) !== group(first);
  if (DENIAL.test(clause.text))
    return mates.length === 2 && mates.every((row) => group(row) !== undefined) && mates.some(isOther)
      ? { says: [`${mates.map(quoted).join(' and ')}: not one incident.`], rows: mates, denies: true }
      : null;
  if (mates.some(isOther)) return null;
  const size = factOf(first.item, 'events in group', 'events');
  const all = clause.amounts.filter(({ unitMs, suffix }) => unitMs === null && suffix === '');
  const said = all.filter(({ value }) => value === size || (value === mates.length && mates.length > 1));
  if (all.length > 0 && said.length === 0) return null;
  return {
    says: [`${mates.map(quoted).join(' and ')}: one incident${size === undefined ? '' : ` of ${size} events`}.`],
    amounts: said,
    every: true,
  };
};

const PLACES: readonly (readonly [said: RegExp, fact: RegExp])[] = [
  [/^(?:cis?|hosts?|servers?|systems?|things?)$/, /\b(?:cis|impacted|hosts|servers)\b/],
  [/^(?:them|results?|rows?|matches|found|matched)$/, /^(?:total|count|value)$/],
];
/** True if words near the number name the fact; a total counts the subject of its item. */
const isNamedBy = (near: readonly string[], name: string, label: string): boolean =>
  PLACES.some(([said, fact]) => near.some((word) => said.test(word)) && fact.test(name.toLowerCase())) ||
  wordsIn((/^(?:total|count|value)$/.test(name) ? label : name).toLowerCase()).some((one) =>
    near.some((word) => isAlike(word, one)),
  );

/** A number with the fact that it counts, or that there is none. */
export const counts: Prove = (clause) => {
  const { text, amounts } = clause;
  const names = namesIn(text, clause).filter(({ rows }) => rows.length > 0);
  const isMeant = (row: Row): boolean =>
    row.item.kind === 'query' || names.length === 0 || names.some((name) => name.rows.includes(row));
  const cited = clause.cited.filter(isMeant);
  const words = text.split(/\s+/);
  const troubled = cited.filter((row) => row.item.kind === 'service' && isOpen(row));
  const find = (value: number, near: readonly string[]) =>
    cited.flatMap((row) =>
      row.item.facts
        .filter((fact) => fact.value === value && isNamedBy(near, fact.name, row.item.label))
        .map((fact) => ({ row, fact })),
    )[0];
  const tell = ({ row, fact }: { row: Row; fact: Fact }) => {
    const { label } = row.item;
    if (row.item.kind === 'query' && fact.name === 'total') return `${fact.value} found.`;
    const isSame = label.includes(fact.name) || /^(?:total|count|value)$/.test(fact.name);
    return `${row.title === null ? label : quoted(row)}: ${isSame ? '' : `${fact.name} `}${fact.value}.`;
  };
  const found = amounts.flatMap((amount) => {
    if (amount.unitMs !== null || amount.suffix === 'times') return [];
    const near = words.filter((_, at) => at !== amount.at && at >= amount.at - 3 && at <= amount.at + 4);
    const fact = find(amount.value, near.flatMap(wordsIn));
    const isCited = near.includes('services') && amount.value === troubled.length && !GOOD.test(text);
    const [row] = isCited ? troubled : [];
    return fact !== undefined
      ? [{ amount, ...fact }]
      : row
        ? [{ amount, row, fact: { name: 'services in trouble', value: troubled.length } }]
        : [];
  });
  const none = /\b(?:no|nothing|none)\b((?: \w+){1,3})/.exec(text)?.[1];
  const zero = none === undefined ? undefined : find(0, wordsIn(none));
  if (found.length === 0 && zero === undefined) return undefined;
  const all = zero === undefined ? found : [zero, ...found];
  return {
    says: all.map(tell),
    rows: all.map(({ row }) => row),
    amounts: found.map(({ amount }) => amount),
    denies: zero !== undefined,
  };
};

/** The age of the cited rows. */
export const aged: Prove = (clause) => {
  if (!/\b(?:ago|since|for)\b/.test(clause.text)) return undefined;
  const names = namesIn(clause.text, clause);
  const rows = clause.cited.filter((row) => {
    const { amounts = [], times = [] } = told([row], clause) ?? {};
    return (
      isTimed(row) &&
      amounts.length + times.length > 0 &&
      (names.length === 0 || names.some((name) => name.rows.includes(row)))
    );
  });
  return rows.length === 0 ? undefined : told(rows, clause);
};
