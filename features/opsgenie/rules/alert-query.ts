import type { Severity, Status } from '#domain/event/event.ts';
import { type Fault, invalid } from '#domain/fault.ts';
import { globMatches, isGlob } from '#domain/glob.ts';
import type { EventFilter } from '#domain/ports/events/event-store.ts';
import { parseTime } from '#domain/texts/time-text.ts';
import { type AlertFields, SEVERITY_OF } from './alert-fields.ts';

/* Opsgenie's search queries: `status: open AND (priority: P1 OR tag: night*)`. */

type QueryField = keyof AlertFields;
type Compare = ':' | '=' | '!=' | '>' | '>=' | '<' | '<=';
interface Condition {
  readonly kind: 'is';
  readonly field: QueryField;
  readonly compare: Compare;
  /** Lower case. */
  readonly text: string;
  /** Numbers, and times in ms. */
  readonly number: number;
}
export type AlertQuery =
  | Condition
  | { readonly kind: 'all' | 'any'; readonly parts: readonly AlertQuery[] }
  | { readonly kind: 'not'; readonly part: AlertQuery };

const TIMES: readonly string[] = ['createdAt', 'updatedAt', 'lastOccurredAt'];
/** Fields whose value contains the text of a condition, unless that has an asterisk. */
const TEXTS: readonly string[] = ['message', 'description'];
const WORDS = 'id tinyId alias entity source owner status priority tags acknowledged isSeen snoozed'.split(' ');
const NAMES = [...WORDS, ...TEXTS, ...TIMES, 'count'] as QueryField[];
const FIELDS: ReadonlyMap<string, QueryField> = new Map<string, QueryField>([
  ...NAMES.map((name) => [name.toLowerCase(), name] as const),
  ['alertid', 'id'],
  ['tag', 'tags'],
]);

const MAX_DEPTH = 20;
const refused = (reason: string): Fault => invalid('query', reason);

const CONDITION = /\s*([a-z][\w.]*)\s*(>=|<=|!=|[:=<>])/iy;
const CONNECTIVE = /\s*(?:and|or|not)(?=[\s()]|$)/iy;
const AND = /\s*and(?=[\s()]|$)/iy;
const OR = /\s*or(?=[\s()]|$)/iy;
const NOT = /\s*not(?=[\s()]|$)/iy;
const QUOTED = /\s*"((?:[^"\\]|\\.)*)"/y;
const WORD = /\s*([^\s()"]+)/y;
const OPENING = /\s*\(/y;
const CLOSING = /\s*\)/y;
const END = /\s*$/y;

const conditionOf = (said: string, compare: Compare, text: string): Condition => {
  const field = FIELDS.get(said.toLowerCase());
  if (field === undefined) throw refused(`unknown field ${said}; expected one of ${NAMES.join(', ')}`);
  const isTime = TIMES.includes(field);
  if (!isTime && field !== 'count' && /[<>]/.test(compare)) throw refused(`${said}: expected : or =, got ${compare}`);
  const number = isTime ? parseTime(text) : Number(text);
  if (isTime && number === null) throw refused(`${said}: expected epoch milliseconds or ISO 8601, got "${text}"`);
  if (field === 'count' && !Number.isFinite(number)) throw refused(`${said}: expected a number, got "${text}"`);
  return { kind: 'is', field, compare, text: text.toLowerCase(), number: number ?? Number.NaN };
};

const openScanner = (text: string) => {
  let at = 0;
  const taken = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found !== null) at = pattern.lastIndex;
    return found;
  };
  const isNext = (pattern: RegExp): boolean => {
    pattern.lastIndex = at;
    return pattern.test(text);
  };
  /** Quoted, or all words up to the next part of the query. */
  const value = (): string => {
    const quoted = taken(QUOTED)?.[1];
    if (quoted !== undefined) return quoted.replace(/\\(.)/g, '$1');
    const words: string[] = [];
    while (!isNext(CONNECTIVE) && (words.length === 0 || !isNext(CONDITION))) {
      const word = taken(WORD)?.[1];
      if (word === undefined) break;
      words.push(word);
    }
    if (words.length === 0) throw refused(`expected a value at character ${at + 1}`);
    return words.join(' ');
  };
  return { taken, isNext, value, place: () => at + 1 };
};

type Leaf = () => AlertQuery;

/** A recursive descent over the text; its depth is limited. */
const openParser = (text: string): Leaf => {
  const { taken, isNext, value, place } = openScanner(text);
  const several = (kind: 'all' | 'any', [first, ...more]: readonly [AlertQuery, ...AlertQuery[]]): AlertQuery =>
    more.length === 0 ? first : { kind, parts: [first, ...more] };

  const group = (leaf: Leaf, depth: number): AlertQuery => {
    if (depth > MAX_DEPTH) throw refused(`expected at most ${MAX_DEPTH} levels`);
    const made = anyOf(leaf, depth + 1);
    if (taken(CLOSING) === null) throw refused(`expected ) at character ${place()}`);
    return made;
  };
  const one = (leaf: Leaf, depth: number): AlertQuery => {
    let isNot = false;
    while (taken(NOT) !== null) isNot = !isNot;
    const part = taken(OPENING) === null ? leaf() : group(leaf, depth);
    return isNot ? { kind: 'not', part } : part;
  };
  const allOf = (leaf: Leaf, depth: number): AlertQuery => {
    const parts: [AlertQuery, ...AlertQuery[]] = [one(leaf, depth)];
    while (taken(AND) !== null || ![END, CLOSING, OR].some(isNext)) parts.push(one(leaf, depth));
    return several('all', parts);
  };
  const anyOf = (leaf: Leaf, depth: number): AlertQuery => {
    const parts: [AlertQuery, ...AlertQuery[]] = [allOf(leaf, depth)];
    while (taken(OR) !== null) parts.push(allOf(leaf, depth));
    return several('any', parts);
  };
  const condition: Leaf = () => {
    const [, field, compare] = taken(CONDITION) ?? [];
    if (field === undefined) {
      const words = value();
      return { kind: 'any', parts: TEXTS.map((name) => conditionOf(name, ':', words)) };
    }
    const leaf: Leaf = () => conditionOf(field, compare as Compare, value());
    return taken(OPENING) === null ? leaf() : group(leaf, 0);
  };
  return () => {
    const made = anyOf(condition, 0);
    if (!isNext(END)) throw refused(`unexpected text at character ${place()}`);
    return made;
  };
};

/** Throws Fault `invalid`, naming the place. */
export const parsedQuery = (text: string): AlertQuery | null => (text.trim() === '' ? null : openParser(text)());

const isEqual = ({ field, compare, text, number }: Condition, said: unknown): boolean => {
  if (typeof said === 'number') return said === number;
  const shown = String(said).toLowerCase();
  if (isGlob(text)) return globMatches(text, shown);
  return TEXTS.includes(field) && compare === ':' ? shown.includes(text) : shown === text;
};

const holds = (condition: Condition, fields: AlertFields): boolean => {
  const { field, compare, number } = condition;
  const said = fields[field];
  if (compare === '!=') return ![said].flat().some((one) => isEqual(condition, one));
  if (compare === ':' || compare === '=') return [said].flat().some((one) => isEqual(condition, one));
  const value = said as number;
  if (compare === '>') return value > number;
  if (compare === '>=') return value >= number;
  return compare === '<' ? value < number : value <= number;
};

export const matchesQuery = (query: AlertQuery, fields: AlertFields): boolean => {
  if (query.kind === 'is') return holds(query, fields);
  if (query.kind === 'not') return !matchesQuery(query.part, fields);
  return query.kind === 'all'
    ? query.parts.every((part) => matchesQuery(part, fields))
    : query.parts.some((part) => matchesQuery(part, fields));
};

/** An alert without a time of its own is stored a moment after its receipt. */
const SLACK_MS = 60_000;
const STATUSES: Readonly<Record<string, readonly Status[]>> = {
  open: ['open', 'acknowledged', 'suppressed'],
  closed: ['resolved'],
};

const severityOf = (priority: string): readonly Severity[] =>
  Object.entries(SEVERITY_OF).flatMap(([name, severity]) => (name.toLowerCase() === priority ? severity : []));

/** The values of a condition on one field, or of several connected by OR; null: it is not of that kind. */
const valuesOf = (query: AlertQuery, field: QueryField): readonly string[] | null => {
  if (query.kind === 'is')
    return query.field === field && /^[:=]$/.test(query.compare) && !isGlob(query.text) ? [query.text] : null;
  if (query.kind !== 'any') return null;
  const parts = query.parts.map((part) => valuesOf(part, field));
  return parts.some((part) => part === null) ? null : parts.flatMap((part) => part ?? []);
};

/** A filter that every match of the query passes, so that fewer events are read. */
export const filterOf = (query: AlertQuery | null): EventFilter => {
  const parts = query === null ? [] : query.kind === 'all' ? query.parts : [query];
  const valuesIn = (field: QueryField) => parts.flatMap((part) => valuesOf(part, field) ?? []);
  const [statuses, priorities] = [valuesIn('status'), valuesIn('priority')];
  const froms = parts.flatMap((part) =>
    part.kind === 'is' && TIMES.includes(part.field) && part.compare.startsWith('>') && part.field !== 'updatedAt'
      ? [part.number]
      : [],
  );
  const all = { statuses: statuses.flatMap((one) => STATUSES[one] ?? []), severities: priorities.flatMap(severityOf) };
  return {
    ...(all.statuses.length > 0 && { statuses: [...new Set(all.statuses)] }),
    ...(all.severities.length > 0 && { severities: [...new Set(all.severities)] }),
    ...(froms.length > 0 && { from: Math.max(0, Math.min(...froms) - SLACK_MS) }),
  };
};
