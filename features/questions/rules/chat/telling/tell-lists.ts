import { CAUSE_TYPES } from '#domain/topology/topology.ts';
import { counted } from '#features/ai/rules/findings.ts';
import { rowRef, wholeRef } from '../evidence.ts';
import type { CiToolRow, NamedRow, RelationshipToolRow, ToolFound } from '../tools.ts';
import { listed } from './tell-ci.ts';
import type { Telling } from './telling.ts';

const CITED = 4;

/** A type as CIs have it, or as the message says it; a model may have made up others. */
const matching = ({ reading }: Telling, { params: { type, status }, rows }: ToolFound<'search-cis'>): string => {
  const isKnown = type !== undefined && (type === reading.ciType || rows[0]?.type === type);
  const words = [...(isKnown ? [`type ${type}`] : []), ...(status === undefined ? [] : [`status ${status}`])];
  if (words.length > 0) return ` of ${words.join(' and ')}`;
  return type === undefined ? '' : ' of that type';
};

const one = ({ name, type, status }: CiToolRow): string => `${name} is a CI of type ${type} with status ${status}.`;

/** CIs that were looked for, or what a name could stand for. */
export function tellCis(telling: Telling, run: ToolFound<'search-cis'>): void {
  const { findings, reading } = telling;
  const { rows, total, params } = run;
  const whole = wholeRef(findings, run);
  const refs = [whole, ...rows.slice(0, CITED).map((row) => rowRef(findings, run, row))];
  const { name } = params;
  // A name that the message does not have is one that a model has thought of.
  const isAsked = name !== undefined && reading.terms.includes(name);
  const called = isAsked ? `called "${name}"` : 'called so';
  const exact = rows.find((row) => row.name.toLowerCase() === name?.toLowerCase());
  if (name !== undefined && total === 0) findings.say(`No CI is ${called}.`, refs);
  else if (total === 1 && exact !== undefined) findings.say(one(exact), refs);
  else if (name !== undefined && exact === undefined) {
    const isAmbiguous = isAsked && reading.ambiguous.includes(name);
    const begins = isAmbiguous ? `"${name}" is no single CI` : `No CI is ${called.replace('called', 'called exactly')}`;
    findings.say(`${begins}; ${counted(total, 'CI has', 'CIs have')} it in their names: ${listed(total, rows)}.`, refs);
  } else if (total === 0) findings.say(`There is no CI${matching(telling, run)}.`, refs);
  else if (total === 1 && rows[0] !== undefined) findings.say(one(rows[0]), refs);
  else findings.say(`There are ${total} CIs${matching(telling, run)}: ${listed(total, rows)}.`, refs);
}

const sourceOf = (row: RelationshipToolRow): NamedRow => ({
  ciId: row.sourceId,
  name: row.sourceName,
  type: row.sourceType,
});
const targetOf = (row: RelationshipToolRow): NamedRow => ({
  ciId: row.targetId,
  name: row.targetName,
  type: row.targetType,
});
const CAUSES: ReadonlySet<string> = new Set(CAUSE_TYPES);
const isDependency = ({ type }: RelationshipToolRow): boolean => CAUSES.has(type);

/** Name of the CI that was asked for; from the rows, else from what the message names. */
const nameIn = ({ reading }: Telling, id: string, rows: readonly RelationshipToolRow[]): string => {
  const ends = rows.flatMap((row) => [sourceOf(row), targetOf(row)]);
  const known = [...ends.map(({ ciId, name }) => ({ id: ciId, name })), ...reading.cis];
  return known.find((ci) => ci.id === id)?.name ?? (reading.current?.id === id ? reading.current.name : 'It');
};

function tellBetween(telling: Telling, run: ToolFound<'search-relationships'>): void {
  const { findings } = telling;
  const whole = wholeRef(findings, run);
  for (const row of run.rows.slice(0, CITED))
    findings.say(`${row.sourceName} ${row.type.replaceAll('_', ' ')} ${row.targetName}.`, [rowRef(findings, run, row)]);
  const isLast = telling.runs.filter(({ tool }) => tool === 'search-relationships').at(-1) === run;
  const isEmpty = telling.runs.every(({ tool, total }) => tool !== 'search-relationships' || total === 0);
  if (isLast && isEmpty) findings.say('No direct relationship between them is known.', [whole]);
}

/** Dependencies or dependants of a CI, one hop away. */
export function tellRelationships(telling: Telling, run: ToolFound<'search-relationships'>): void {
  const { findings } = telling;
  const { rows, total, params } = run;
  const { sourceId, targetId } = params;
  const self = sourceId ?? targetId;
  if (self === undefined || (sourceId !== undefined && targetId !== undefined)) {
    tellBetween(telling, run);
    return;
  }
  const name = nameIn(telling, self, rows);
  const isUp = sourceId !== undefined;
  const needed = rows.filter(isDependency);
  const others = [
    ...new Map(needed.map((row) => (isUp ? targetOf(row) : sourceOf(row))).map((ci) => [ci.ciId, ci])).values(),
  ];
  const refs = [wholeRef(findings, run), ...needed.slice(0, CITED).map((row) => rowRef(findings, run, row))];
  if (rows.length < total) {
    const text = isUp ? `${total} relationships lead from ${name}` : `${total} relationships lead to ${name}`;
    findings.say(others.length === 0 ? `${text}.` : `${text}, among them those of ${listed(total, others)}.`, refs);
  } else if (others.length === 0)
    findings.say(
      isUp ? `${name} depends on nothing that is known.` : `Nothing that is known depends on ${name}.`,
      refs,
    );
  else if (isUp)
    findings.say(
      `${name} depends directly on ${counted(others.length, 'CI')}: ${listed(others.length, others)}.`,
      refs,
    );
  else
    findings.say(
      `${counted(others.length, 'CI depends', 'CIs depend')} directly on ${name}: ${listed(others.length, others)}.`,
      refs,
    );
}
