import { severityRank } from '#domain/event/event.ts';
import type { EventFilter, Unbound } from '#domain/ports/events/event-store.ts';
import type { Reading } from '#infra/embedded/journal/database.ts';
import { interruptible } from '#infra/embedded/journal/interrupt.ts';
import { all, type Sql, sql } from '#infra/embedded/sqlite/sql.ts';
import { matchExpression } from './full-text.ts';
import { bucketStart, lastFrom } from './last-seen-bucket.ts';
import { statusCode } from './row.ts';

/** A filter as conditions over `event e` and `tally t`, by what each is about. */
export interface Conditions {
  readonly tenant: string;
  readonly status?: Sql;
  readonly severity?: Sql;
  readonly source?: Sql;
  readonly ci?: Sql;
  /** Without a CI and open: any, or those about some hosts. */
  readonly unbound?: Sql;
  readonly hosts?: Sql;
  readonly correlation?: Sql;
  readonly from?: number;
  readonly to?: number;
  /** A full-text expression; null when the words typed are none, which finds nothing. */
  readonly search?: string | null;
}

const codes = (column: string, values: readonly number[]): Sql =>
  values.length === 1 ? sql(`${column} = ?`, values[0]!) : sql(`${column} IN (${[...values].sort().join(', ')})`);
const texts = (column: string, values: readonly string[]): Sql =>
  values.length === 1
    ? sql(`${column} = ?`, values[0]!)
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
    ...[names, tenant, names, tenant, JSON.stringify(addresses), tenant],
  );
};
const unboundCondition = (tenant: string, unbound: Unbound): Pick<Conditions, 'unbound' | 'hosts'> =>
  unbound.hostnames === undefined && unbound.addresses === undefined
    ? { unbound: sql(UNBOUND) }
    : { hosts: aboutHosts(tenant, unbound) };

/** The slots of the events last seen longest ago and most lately. */
export function endSlots(reading: Reading, tenant: string): readonly [oldest: number, newest: number] {
  const end = (order: string) =>
    reading
      .arrays(`SELECT slot FROM tally INDEXED BY tally_slot WHERE tenant = ? ORDER BY slot ${order} LIMIT 1`)
      .get(tenant) as [number] | undefined;
  return [end('ASC')?.[0] ?? 0, end('DESC')?.[0] ?? 0];
}

/** Bounds that are known to leave out no event are dropped, so that a range over everything costs as much as no range. */
function bounds(reading: Reading, tenant: string, { from, to }: EventFilter): Pick<Conditions, 'from' | 'to'> {
  if (from === undefined && to === undefined) return {};
  const [oldest, newest] = endSlots(reading, tenant);
  return {
    ...(from !== undefined && from > bucketStart(oldest) ? { from } : {}),
    ...(to !== undefined && to < bucketStart(newest + 1) - 1 ? { to } : {}),
  };
}

export function conditionsOf(reading: Reading, tenant: string, filter: EventFilter): Conditions {
  const { statuses, severities, sources, ciId, unbound, correlationIds, search } = filter;
  return {
    tenant,
    ...(statuses && { status: codes('e.status', statuses.map(statusCode)) }),
    ...(severities && { severity: codes('e.severity', severities.map(severityRank)) }),
    ...(sources && { source: texts('e.source', sources) }),
    ...(ciId !== undefined && { ci: typeof ciId === 'string' ? sql('e.ci_id = ?', ciId) : texts('e.ci_id', ciId) }),
    ...(unbound && unboundCondition(tenant, unbound)),
    ...(correlationIds && { correlation: texts('e.correlation_id', correlationIds) }),
    ...bounds(reading, tenant, filter),
    ...(search !== undefined && { search: matchExpression(tenant, search) }),
  };
}

export const timeConditions = ({ from, to }: Conditions): Sql[] => [
  ...(from === undefined ? [] : [lastFrom(from)]),
  ...(to === undefined ? [] : [sql('t.first <= ?', to)]),
];
export const hasTime = ({ from, to }: Conditions): boolean => from !== undefined || to !== undefined;

/** Ways to reach the events that a filter may name; each is an index. */
export type Access = 'status' | 'severity' | 'source' | 'ci' | 'unbound' | 'hosts' | 'correlation' | 'time' | 'search';

const FROM: Readonly<Record<Access, string>> = {
  status: 'event e INDEXED BY event_status',
  severity: 'event e INDEXED BY event_severity',
  source: 'event e INDEXED BY event_source',
  ci: 'event e INDEXED BY event_ci',
  unbound: 'event e INDEXED BY event_unbound',
  // By rowid.
  hosts: 'event e NOT INDEXED',
  correlation: 'event e INDEXED BY event_correlation',
  time: 'tally t INDEXED BY tally_slot CROSS JOIN event e ON e.seq = t.seq',
  search: 'event_text CROSS JOIN event e ON e.seq = event_text.rowid',
};

/** Status and severity as `tally` and its index repeat them. */
export const inTally = ({ text, values }: Sql): Sql => ({ text: text.replace('e.', 't.'), values });

/** FROM and WHERE over the given tables, with every condition of the filter. */
export function selection(from: string, conditions: Conditions, withTally: boolean, extra: readonly Sql[] = []): Sql {
  const { tenant, status, severity, source, ci, unbound, hosts, correlation, search } = conditions;
  const joins = withTally && !from.includes('tally t') ? ' CROSS JOIN tally t ON t.seq = e.seq' : '';
  const overTally = from.startsWith('tally t');
  const match = from.startsWith('event_text')
    ? sql('event_text MATCH ?', search ?? '')
    : sql('e.seq IN (SELECT rowid FROM event_text WHERE event_text MATCH ?)', search ?? '');
  const where = all([
    sql(`${overTally ? 't' : 'e'}.tenant = ?`, tenant),
    ...[status, severity].filter((condition) => condition !== undefined).map(overTally ? inTally : (same) => same),
    ...[source, ci, unbound, hosts, correlation].filter((condition) => condition !== undefined),
    ...timeConditions(conditions),
    ...(search === undefined ? [] : [match]),
    sql(interruptible(overTally ? 't.seq' : 'e.seq')),
    ...extra,
  ]);
  return { text: `FROM ${from}${joins} WHERE ${where.text}`, values: where.values };
}

export const through = (access: Access, conditions: Conditions, withTally: boolean, extra: readonly Sql[] = []): Sql =>
  selection(FROM[access], conditions, withTally || hasTime(conditions), extra);
