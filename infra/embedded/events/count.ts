import { ASSIGNED } from '#infra/embedded/facets/conditions.ts';
import type { RowReader } from '#infra/embedded/redo-log/connections.ts';
import { interruptible } from '#infra/embedded/redo-log/interrupt.ts';
import { all, type Sql, sql } from '#infra/embedded/sqlite/sql.ts';
import {
  type AccessPath,
  type Conditions,
  endSlots,
  hasTime,
  inTally,
  selection,
  slim,
  slimOverAll,
  through,
  timeConditions,
} from './filter.ts';
import { bucketStart, firstAfter, lastBefore } from './row.ts';

const number = (reading: RowReader, { text, values }: Sql): number =>
  Number((reading.arrays(text).get(...values) as [number | null] | undefined)?.[0] ?? 0);

/** Counts over status, severity and source are stored with the events, so a million costs no more than one. */
function kept(reading: RowReader, { tenant, status, severity, source }: Conditions): number {
  const where = all([
    sql('e.tenant = ?', tenant),
    ...[status, severity, source].filter((condition) => condition !== undefined),
  ]);
  return number(reading, { text: `SELECT sum(n) FROM event_count e WHERE ${where.text}`, values: where.values });
}

const ranged = (reading: RowReader, conditions: readonly Sql[]): number => {
  const where = all([...conditions, sql(interruptible('t.seq'))]);
  return number(reading, {
    text: `SELECT count(*) FROM tally t INDEXED BY tally_slot WHERE ${where.text}`,
    values: where.values,
  });
};

/** True when fewer events are before the range than in it, judged by the ends of the index. */
function startsEarly(reading: RowReader, { tenant, from, to }: Conditions): boolean {
  const [oldest, newest] = endSlots(reading, tenant);
  const middle = bucketStart((oldest + newest) / 2);
  return (from === undefined || from < middle) && (to === undefined || to > middle);
}

/** Counts from the index of `tally` alone: those in the range, or all without those before and after it. */
function overTime(reading: RowReader, conditions: Conditions): number {
  const { tenant, status, severity, from, to } = conditions;
  const ofTenant = sql('t.tenant = ?', tenant);
  const narrowed = [status, severity].filter((condition) => condition !== undefined);
  if (narrowed.length > 0 || !startsEarly(reading, conditions)) {
    return ranged(reading, [ofTenant, ...timeConditions(conditions), ...narrowed.map(inTally)]);
  }
  const before = from === undefined ? 0 : ranged(reading, [ofTenant, lastBefore(from)]);
  const after = to === undefined ? 0 : ranged(reading, [ofTenant, firstAfter(to)]);
  return kept(reading, { tenant }) - before - after;
}

/** Counts through the index of the facet alone. */
function faceted(reading: RowReader, access: FacetAccess, { [access]: condition }: Conditions): number {
  if (condition === undefined) return 0;
  const from = `event_facet f INDEXED BY event_facet_${access}`;
  const where = all([condition, sql(interruptible('f.seq'))]);
  return number(reading, { text: `SELECT count(*) FROM ${from} WHERE ${where.text}`, values: where.values });
}

const onlyAccess = (access: AccessPath, { tenant, from, to, ...rest }: Conditions): Conditions =>
  access === 'time'
    ? { tenant, ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) }
    : { tenant, [access]: rest[access] };

/** Estimates the number of events that one access alone would visit. */
function estimate(reading: RowReader, access: AccessPath, conditions: Conditions): number {
  const alone = onlyAccess(access, conditions);
  if (access === 'time') return overTime(reading, alone);
  if (access === 'search') return searched(reading, alone);
  if (access === 'words') return alone.words?.count ?? 0;
  if (isFacet(access)) return faceted(reading, access, alone);
  if (THROUGH.includes(access)) return throughAccess(reading, access, alone);
  return kept(reading, alone);
}

/** Access paths without stored counts. */
const THROUGH: readonly AccessPath[] = ['ci', 'unbound', 'hosts', 'correlation', 'ids', 'tag', 'assignee'];
const FACETS = ['host', 'service', 'environment'] as const;
type FacetAccess = (typeof FACETS)[number];
/** True if it uses `event_facet`. */
const isFacet = (access: AccessPath): access is FacetAccess => (FACETS as readonly AccessPath[]).includes(access);

const searched = (reading: RowReader, { search }: Conditions): number =>
  search == null ? 0 : number(reading, sql('SELECT count(*) FROM event_text WHERE event_text MATCH ?', search));

const counted = ({ text, values }: Sql): Sql => ({ text: `SELECT count(*) ${text}`, values });

/** Few events are assigned. */
const unassigned = (reading: RowReader, { tenant }: Conditions): number =>
  kept(reading, { tenant }) -
  number(reading, { text: `SELECT count(DISTINCT seq) FROM (${ASSIGNED})`, values: [tenant, tenant] });

const throughAccess = (reading: RowReader, access: AccessPath, conditions: Conditions): number =>
  number(reading, counted(slim(access, conditions) ?? through(access, conditions, false)));

const ACCESSES: readonly AccessPath[] = [
  'ids',
  'correlation',
  'assignee',
  'host',
  'ci',
  'hosts',
  'tag',
  'words',
  'unbound',
  'search',
  'time',
  'service',
  'source',
  'environment',
  'severity',
  'status',
];

/** An access and how many events it visits. */
export interface AccessChoice {
  readonly access: AccessPath;
  readonly rows: number;
}

/** The access that visits fewest events, and how many. Null when nothing is filtered. */
export function cheapest(reading: RowReader, conditions: Conditions): AccessChoice | null {
  let best: AccessChoice | null = null;
  for (const access of ACCESSES) {
    if (access === 'time' ? !hasTime(conditions) : conditions[access] === undefined) continue;
    const rows = estimate(reading, access, conditions);
    if (best === null || rows < best.rows) best = { access, rows };
  }
  return best;
}

/** Conditions with stored counts, or which the index of `tally` answers alone. */
const KEPT: ReadonlySet<string> = new Set(['tenant', 'status', 'severity', 'source', 'from', 'to']);

/** The exact number of events. */
export function countEvents(reading: RowReader, conditions: Conditions, best: AccessChoice | null): number {
  if (conditions.search === null) return 0;
  const others = Object.keys(conditions).some((name) => !KEPT.has(name));
  if (!others && !hasTime(conditions)) return kept(reading, conditions);
  if (!others && conditions.source === undefined) return overTime(reading, conditions);
  const { tenant: _tenant, ...filters } = conditions;
  if (Object.keys(filters).length === 1 && conditions.nobody !== undefined) return unassigned(reading, conditions);
  if (Object.keys(filters).length === 1 && best !== null) return best.rows;
  if (best !== null) return throughAccess(reading, best.access, conditions);
  return number(
    reading,
    counted(
      slimOverAll(conditions) ??
        selection('tally t INDEXED BY tally_slot CROSS JOIN event e ON e.seq = t.seq', conditions, true),
    ),
  );
}
