import { CAUSE_TYPES } from '#domain/topology/topology.ts';
import { isAlike } from './amounts.ts';
import { type Clause, lists, meant, namesIn, shared, wordsIn } from './clause.ts';
import { CAUSED, CAUSES, DENIAL, DEPENDENTS, DEPENDS, IMPACT, ORDER } from './lexicon.ts';
import { described, isOpen, isWell, type Proof, type Prove, type Proven, quoted, told } from './proof.ts';
import { factOf, listed, type Named, type Row } from './rows.ts';

const CAUSAL: ReadonlySet<string> = new Set(CAUSE_TYPES);

/* Dependency, impact and causes. */

const around = (text: string, pattern: RegExp): readonly [string, string] => {
  const found = pattern.exec(text);
  return found === null ? ['', ''] : [text.slice(0, found.index), text.slice(found.index + found[0].length)];
};
const isNamed = (row: Row, { text, rows }: Named): boolean => row.name === text || rows.includes(row);
const end = ({ item }: Row, name: 'source' | 'target', { text }: Named): boolean =>
  String(factOf(item, name) ?? '').toLowerCase() === text.toLowerCase();

const needs = (one: Named, two: Named, { rows }: Clause): boolean =>
  rows.some(
    (row) =>
      (row.item.kind === 'relationship' &&
        CAUSAL.has(String(factOf(row.item, 'type'))) &&
        end(row, 'source', one) &&
        end(row, 'target', two)) ||
      (isNamed(row, one) && lists(row, two, 'depends on')) ||
      (isNamed(row, two) && lists(row, one, 'dependents')),
  );

const PRONOUNS: ReadonlySet<string> = new Set(['it', 'this', 'that', 'they', 'both']);
/** Names of a part; if it has none (`it`), names of the cited evidence. */
const namesOr = (part: string, clause: Clause, others: readonly Named[]): readonly Named[] => {
  const own = namesIn(part, clause);
  if (own.length > 0 || wordsIn(part).some((word) => !PRONOUNS.has(word))) return own;
  const near = [...clause.before, ...clause.cited].flatMap((row) =>
    row.item.kind === 'relationship'
      ? [String(factOf(row.item, 'target')), String(factOf(row.item, 'source'))]
      : [row.name],
  );
  return clause.names
    .filter((name) => near.includes(name.text) && !others.some(({ text }) => text === name.text))
    .slice(0, 1);
};

const pairsOf = (subjects: readonly Named[], objects: readonly Named[], clause: Clause): Proof => {
  const pairs = subjects.flatMap((one) => objects.map((two) => ({ one, two })));
  if (!pairs.every(({ one, two }) => needs(one, two, clause))) return null;
  return { says: pairs.map(({ one, two }) => `${one.text} depends on ${two.text}.`) };
};
/** A side that is a number or nothing is left to the facts that count it. */
export const depends: Prove = (clause) => {
  const { text, amounts } = clause;
  const [self, ...others] = DEPENDENTS.test(text) ? namesIn(text, clause) : [];
  if (self !== undefined) return others.length === 0 ? undefined : pairsOf(others, [self], clause);
  if (!DEPENDS.test(text)) return undefined;
  const [before, after] = around(text, DEPENDS);
  const subjects = namesOr(before, clause, namesIn(after, clause));
  const objects = namesOr(after, clause, subjects);
  if (subjects.length > 0 && objects.length > 0) return DENIAL.test(text) ? null : pairsOf(subjects, objects, clause);
  const isCounted = amounts.length > 0 || DENIAL.test(text) || subjects.length + objects.length === 0;
  return isCounted ? undefined : null;
};

const COUNTED = /^(?:cis?|hosts?|servers?|systems?|machines?|things?|services?)\b/;
/** CIs and services that fail with a CI, or are affected by its incident. */
const hitBy = (row: Row, name: Named): boolean => lists(row, name, 'impacted', 'service', 'affected services');
const hits = (row: Row, names: readonly Named[], clause: Clause): Proven | null => {
  const count = factOf(row.item, 'impacted');
  const services = listed(row, 'service', 'affected services').length;
  const words = clause.text.split(/\s+/);
  const said = clause.amounts.filter(({ at }) => words.slice(at + 1, at + 4).some((word) => COUNTED.test(word)));
  if (!said.every(({ value }) => value === (/\bservices\b/.test(clause.text) ? services : count))) return null;
  const who = row.title === null ? `If ${row.name} fails` : `Incident of ${quoted(row)} affects`;
  const what = [
    ...(said.length > 0 && row.title === null ? [`${count} CIs impacted`] : []),
    ...names.map(({ text }) => text),
  ];
  return what.length === 0 ? null : { says: [`${who}: ${what.join(', ')}.`], amounts: said };
};

export const impacts: Prove = (clause) => {
  const { text, cited } = clause;
  const names = namesIn(text, clause);
  if (!IMPACT.test(text) || names.length + clause.amounts.length === 0) return undefined;
  // A CI that fails `with` another is affected by that one alone.
  const [by] = namesIn(`${/\b(?:with|if) (?:the )?⟨\d+⟩/.exec(text)?.[0] ?? ''} ${clause.condition}`, clause);
  const own = cited.filter((row) => factOf(row.item, 'impacted', 'service', 'affected services') !== undefined);
  const source = DENIAL.test(text)
    ? undefined
    : by === undefined
      ? (own.find((row) => names.some((name) => isNamed(row, name))) ?? own[0])
      : own.find((row) => isNamed(row, by));
  const others = names.filter((name) => source === undefined || !isNamed(source, name));
  if (source !== undefined && others.every((name) => hitBy(source, name))) return hits(source, others, clause);
  if (names.length === 0) return undefined;
  if (DENIAL.test(text) && by === undefined) {
    const well = names.map(({ rows }) => rows.find(isWell)).filter((row) => row !== undefined);
    return well.length === names.length ? told(well, clause, { denies: true }) : null;
  }
  if (by !== undefined) return null;
  const down = names.map(({ rows }) => rows.find(isOpen)).filter((row) => row !== undefined);
  return down.length === names.length ? { says: down.map((row) => described(row, clause)), rows: down } : null;
};

/** Only a candidate of the rules, or another item of its name, can be a cause. */
export const isCaused: Prove = (clause) => {
  const { text, causes = [], rows } = clause;
  const behind = CAUSED.exec(text);
  const before = CAUSES.exec(text);
  if (behind === null && before === null) return undefined;
  const isBehind = behind !== null && (before === null || behind.index <= before.index);
  const [head, tail] = around(text, isBehind ? CAUSED : CAUSES);
  const [part, effect] = isBehind ? [tail, head] : [head, tail];
  const [own] = namesIn(part, clause).length > 0 ? [] : meant(part, clause);
  // `Killed because memory ran out`: both stand in one title.
  const isOne =
    own !== undefined &&
    own.title !== null &&
    isBehind &&
    shared(part, own).alike > 0 &&
    meant(effect, clause)[0] === own;
  if (isOne && !causes.includes(own.item.alias)) return undefined;
  const candidates = rows.filter(({ item }) => causes.includes(item.alias));
  const named = namesIn(part, clause);
  const found = candidates.find((row) =>
    named.length > 0
      ? named[isBehind ? 0 : named.length - 1]?.rows.some((one) => one === row || one.name === row.name)
      : own === row,
  );
  if (found === undefined || DENIAL.test(text)) return null;
  return { says: [`Probable root cause: ${quoted(found)}.`], rows: [found] };
};

/** Facts of an item in words that stand in the clause: its type, role, state. */
export const isSaid: Prove = (clause) => {
  const words = wordsIn(clause.text);
  const rows = namesIn(clause.text, clause).length > 0 ? meant(clause.text, clause) : clause.cited;
  const says = rows
    .filter(({ title }) => title === null)
    .flatMap(({ name, item }) =>
      item.facts
        .filter(({ value }) => typeof value === 'string' && value.length > 1 && !ORDER.test(value))
        .filter(({ value }) =>
          wordsIn(String(value).toLowerCase()).every((one) => words.some((word) => isAlike(word, one))),
        )
        .map((fact) => `${name}: ${fact.name} ${fact.isFreeText ? `"${fact.value}"` : fact.value}.`),
    );
  return says.length === 0 ? undefined : { says: says.slice(0, 3) };
};
