import { firstItem } from '#domain/assert.ts';
import { severityRank } from '#domain/event/event.ts';
import type { EventFilter, Unbound } from '#domain/ports/events/event-store.ts';
import { type FacetConditions, facetConditions, hasFacet } from '#infra/embedded/facets/conditions.ts';
import { type FoundWords, searchConditions } from '#infra/embedded/facets/search-words.ts';
import type { RowReader } from '#infra/embedded/redo-log/connections.ts';
import { interruptible } from '#infra/embedded/redo-log/interrupt.ts';
import { all, type Sql, sql } from '#infra/embedded/sqlite/sql.ts';
import { bucketStart, lastFrom, statusCode } from './row.ts';

/** A filter as conditions over `event e`, `tally t` and `event_facet f`, by subject. */
export interface Conditions extends FacetConditions {
  readonly tenant: string;
  readonly status?: Sql;
  readonly severity?: Sql;
  readonly source?: Sql;
  readonly ci?: Sql;
  /** Open events without a CI: any, or those about some hosts. */
  readonly unbound?: Sql;
  readonly hosts?: Sql;
  readonly correlation?: Sql;
  readonly from?: number;
  readonly to?: number;
  /** A full-text expression; null when the words typed are none, which finds nothing. */
  readonly search?: string | null;
  /** The words typed, when a host name has one of them. */
  readonly words?: FoundWords;
  readonly ids?: Sql;
}

const codes = (column: string, values: readonly number[]): Sql =>
  values.length === 1
    ? sql(`${column} = ?`, firstItem(values))
    : sql(`${column} IN (${[...values].sort().join(', ')})`);
const texts = (column: string, values: readonly string[]): Sql =>
  values.length === 1
    ? sql(`${column} = ?`, firstItem(values))
    : sql(`${column} IN (SELECT value FROM json_each(?))`, JSON.stringify(values));

const UNBOUND = 'e.ci_id IS NULL AND e.status <> 2';
/** Each name is a range of the index. */
const aboutHosts = (tenant: string, { hostnames = [], addresses = [] }: Unbound): Sql => {
  const names = JSON.stringify(hostnames);
  const unbound = 'u.tenant = ? AND u.ci_id IS NULL AND u.status <> 2';
  const named = (condition: string) =>
    `SELECT u.seq FROM json_each(?) n CROSS JOIN event u INDEXED BY event_unbound WHERE ${unbound} AND ${condition}`;
  return sql(
    `e.seq IN (${named('u.host = n.value')} UNION ALL ${named("u.host >= n.value || '.' AND u.host < n.value || '/'")}
      UNION ALL SELECT u.seq FROM json_each(?) n CROSS JOIN event u INDEXED BY event_unbound_address
      WHERE ${unbound} AND u.address = n.value AND u.address IS NOT NULL)`,
    names,
    tenant,
    names,
    tenant,
    JSON.stringify(addresses),
    tenant,
  );
};
const unboundCondition = (tenant: string, unbound: Unbound): Pick<Conditions, 'unbound' | 'hosts'> =>
  unbound.hostnames === undefined && unbound.addresses === undefined
    ? { unbound: sql(UNBOUND) }
    : { hosts: aboutHosts(tenant, unbound) };

/** The slots of the events last seen longest ago and most lately. */
export function endSlots(reading: RowReader, tenant: string): readonly [oldest: number, newest: number] {
  const end = (order: string) =>
    reading
      .arrays(`SELECT slot FROM tally INDEXED BY tally_slot WHERE tenant = ? ORDER BY slot ${order} LIMIT 1`)
      .get(tenant) as [number] | undefined;
  return [end('ASC')?.[0] ?? 0, end('DESC')?.[0] ?? 0];
}

/** Bounds that are known to leave out no event are dropped, so that a range over everything costs as much as no range. */
function bounds(reading: RowReader, tenant: string, { from, to }: EventFilter): Pick<Conditions, 'from' | 'to'> {
  if (from === undefined && to === undefined) return {};
  const [oldest, newest] = endSlots(reading, tenant);
  return {
    ...(from !== undefined && from > bucketStart(oldest) ? { from } : {}),
    ...(to !== undefined && to < bucketStart(newest + 1) - 1 ? { to } : {}),
  };
}

export function conditionsOf(reading: RowReader, tenant: string, filter: EventFilter): Conditions {
  const { statuses, severities, sources, ciId, unbound, correlationIds, search, ids } = filter;
  return {
    tenant,
    ...(statuses && { status: codes('e.status', statuses.map(statusCode)) }),
    ...(severities && { severity: codes('e.severity', severities.map(severityRank)) }),
    ...(sources && { source: texts('e.source', sources) }),
    ...(ciId !== undefined && { ci: typeof ciId === 'string' ? sql('e.ci_id = ?', ciId) : texts('e.ci_id', ciId) }),
    ...(unbound && unboundCondition(tenant, unbound)),
    ...(correlationIds && { correlation: texts('e.correlation_id', correlationIds) }),
    ...bounds(reading, tenant, filter),
    ...(search !== undefined && searchConditions(reading, tenant, search)),
    ...(ids && { ids: texts('e.id', ids) }),
    ...facetConditions(reading, tenant, filter),
  };
}

export const timeConditions = ({ from, to }: Conditions): Sql[] => [
  ...(from === undefined ? [] : [lastFrom(from)]),
  ...(to === undefined ? [] : [sql('t.first <= ?', to)]),
];
export const hasTime = ({ from, to }: Conditions): boolean => from !== undefined || to !== undefined;

/** Access paths to the events of a filter; each is an index. */
export type AccessPath =
  | 'status'
  | 'severity'
  | 'source'
  | 'ci'
  | 'unbound'
  | 'hosts'
  | 'correlation'
  | 'time'
  | 'search'
  | 'words'
  | 'ids'
  | 'tag'
  | 'host'
  | 'service'
  | 'environment'
  | 'assignee';

const byFacet = (name: string): string =>
  `event_facet f INDEXED BY event_facet_${name} CROSS JOIN event e ON e.seq = f.seq`;

const FROM: Readonly<Record<AccessPath, string>> = {
  status: 'event e INDEXED BY event_status',
  severity: 'event e INDEXED BY event_severity',
  source: 'event e INDEXED BY event_source',
  ci: 'event e INDEXED BY event_ci',
  unbound: 'event e INDEXED BY event_unbound',
  // Access by rowid.
  hosts: 'event e NOT INDEXED',
  correlation: 'event e INDEXED BY event_correlation',
  time: 'tally t INDEXED BY tally_slot CROSS JOIN event e ON e.seq = t.seq',
  search: 'event_text CROSS JOIN event e ON e.seq = event_text.rowid',
  words: 'event e NOT INDEXED',
  ids: 'event e INDEXED BY event_id',
  tag: 'event e NOT INDEXED',
  host: byFacet('host'),
  service: byFacet('service'),
  environment: byFacet('environment'),
  assignee: 'event e NOT INDEXED',
};

/** Status and severity as `tally` and its index repeat them. */
export const inTally = ({ text, values }: Sql): Sql => ({ text: text.replace('e.', 't.'), values });
const inFacet = ({ text, values }: Sql): Sql => ({ text: text.replace('e.', 'f.'), values });

/** FROM and WHERE over the given tables, with every condition of the filter. */
export function selection(from: string, conditions: Conditions, withTally: boolean, extra: readonly Sql[] = []): Sql {
  const { tenant, status, severity, source, ci, unbound, hosts, correlation, search, words, ids, tag } = conditions;
  const { host, service, environment, assignee, nobody, flags } = conditions;
  const withFacet = hasFacet(conditions) && !from.includes('event_facet f');
  const joins = [
    ...(withTally && !from.includes('tally t') ? [' CROSS JOIN tally t ON t.seq = e.seq'] : []),
    ...(withFacet ? [' CROSS JOIN event_facet f ON f.seq = e.seq'] : []),
  ].join('');
  const overTally = from.startsWith('tally t');
  const overFacet = from.startsWith('event_facet f');
  const repeated = overTally ? inTally : overFacet ? inFacet : (same: Sql) => same;
  const match = from.startsWith('event_text')
    ? sql('event_text MATCH ?', search ?? '')
    : sql('e.seq IN (SELECT rowid FROM event_text WHERE event_text MATCH ?)', search ?? '');
  const where = all([
    // The numbers of facets belong to one tenant.
    ...(overFacet ? [] : [sql(`${overTally ? 't' : 'e'}.tenant = ?`, tenant)]),
    ...[status, severity].filter((condition) => condition !== undefined).map(repeated),
    ...[source, ci, unbound, hosts, correlation, words, ids, tag].filter((condition) => condition !== undefined),
    ...[host, service, environment, assignee, nobody, flags].filter((condition) => condition !== undefined),
    ...timeConditions(conditions),
    ...(search === undefined ? [] : [match]),
    sql(interruptible(`${overTally ? 't' : overFacet ? 'f' : 'e'}.seq`)),
    ...extra,
  ]);
  return { text: `FROM ${from}${joins} WHERE ${where.text}`, values: where.values };
}

export const through = (
  access: AccessPath,
  conditions: Conditions,
  withTally: boolean,
  extra: readonly Sql[] = [],
): Sql => selection(FROM[access], conditions, withTally || hasTime(conditions), extra);

/** Indexes that lead to `event_facet f`; the large event rows are not read. All but `time` belong to one tenant. */
const SLIM_FROM: Readonly<Partial<Record<AccessPath, string>>> = {
  host: 'event_facet f INDEXED BY event_facet_host',
  service: 'event_facet f INDEXED BY event_facet_service',
  environment: 'event_facet f INDEXED BY event_facet_environment',
  assignee: 'event_facet f NOT INDEXED',
  search: 'event_text CROSS JOIN event_facet f ON f.seq = event_text.rowid',
  words: 'event_facet f NOT INDEXED',
  tag: 'event_facet f NOT INDEXED',
  time: 'tally t INDEXED BY tally_slot CROSS JOIN event_facet f ON f.seq = t.seq',
};

/** Conditions on the number of the event, or on columns repeated in `event_facet` and `tally`. */
const KNOWN: ReadonlySet<string> = new Set(
  'tenant status severity from to search words tag host service environment assignee nobody flags'.split(' '),
);

const overFacet = ({ text, values }: Sql): Sql => ({ text: text.replace(/\be\./g, 'f.'), values });

/** FROM and WHERE over `event_facet f` with every condition of the filter; null when the events have to be read. */
export function slim(access: AccessPath, conditions: Conditions, extra: readonly Sql[] = []): Sql | null {
  const from = SLIM_FROM[access];
  if (from === undefined || !Object.keys(conditions).every((name) => KNOWN.has(name))) return null;
  const { tenant, status, severity, search, words, tag, host, service, environment, assignee, nobody, flags } =
    conditions;
  const isTimed = access === 'time';
  const tally = hasTime(conditions) && !isTimed ? ' CROSS JOIN tally t ON t.seq = f.seq' : '';
  const match =
    access === 'search' ? 'event_text MATCH ?' : 'f.seq IN (SELECT rowid FROM event_text WHERE event_text MATCH ?)';
  const given = [status, severity, words, tag, host, service, environment, assignee, nobody, flags, ...extra];
  const where = all([
    ...(isTimed ? [sql('t.tenant = ?', tenant)] : []),
    ...given.filter((condition) => condition !== undefined).map(overFacet),
    ...timeConditions(conditions),
    ...(search == null ? [] : [sql(match, search)]),
    sql(interruptible(isTimed ? 't.seq' : 'f.seq')),
  ]);
  return { text: `FROM ${from}${tally} WHERE ${where.text}`, values: where.values };
}

/** Variant of `slim` over all events of the tenant, when no access leads to fewer and only `event_facet` can decide. */
export const slimOverAll = (conditions: Conditions): Sql | null =>
  hasFacet(conditions) || conditions.nobody !== undefined ? slim('time', conditions) : null;
