import { severityRank } from '#domain/event/event.ts';
import type { EventFilter } from '#domain/ports/event-store.ts';
import type { Reading } from './database.ts';
import { statusCode } from './event-row.ts';
import { lastFrom, slotStart } from './event-slot.ts';
import { matchExpression } from './event-text.ts';
import { all, type Sql, sql } from './sql.ts';

/** A filter as conditions over `event e` and `tally t`, by what each is about. */
export interface Conditions {
  readonly tenant: string;
  readonly status?: Sql;
  readonly severity?: Sql;
  readonly source?: Sql;
  readonly ci?: Sql;
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
    ...(from !== undefined && from > slotStart(oldest) ? { from } : {}),
    ...(to !== undefined && to < slotStart(newest + 1) - 1 ? { to } : {}),
  };
}

export function conditionsOf(reading: Reading, tenant: string, filter: EventFilter): Conditions {
  const { statuses, severities, sources, ciId, correlationIds, search } = filter;
  return {
    tenant,
    ...(statuses && { status: codes('e.status', statuses.map(statusCode)) }),
    ...(severities && { severity: codes('e.severity', severities.map(severityRank)) }),
    ...(sources && { source: texts('e.source', sources) }),
    ...(ciId !== undefined && { ci: sql('e.ci_id = ?', ciId) }),
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
export type Access = 'status' | 'severity' | 'source' | 'ci' | 'correlation' | 'time' | 'search';

const FROM: Readonly<Record<Access, string>> = {
  status: 'event e INDEXED BY event_status',
  severity: 'event e INDEXED BY event_severity',
  source: 'event e INDEXED BY event_source',
  ci: 'event e INDEXED BY event_ci',
  correlation: 'event e INDEXED BY event_correlation',
  time: 'tally t INDEXED BY tally_slot CROSS JOIN event e ON e.seq = t.seq',
  search: 'event_text CROSS JOIN event e ON e.seq = event_text.rowid',
};

/** Status and severity as `tally` and its index repeat them. */
export const inTally = ({ text, values }: Sql): Sql => ({ text: text.replace('e.', 't.'), values });

/** FROM and WHERE over the given tables, with every condition of the filter. */
export function selection(from: string, conditions: Conditions, withTally: boolean, extra: readonly Sql[] = []): Sql {
  const { tenant, status, severity, source, ci, correlation, search } = conditions;
  const joins = withTally && !from.includes('tally t') ? ' CROSS JOIN tally t ON t.seq = e.seq' : '';
  const overTally = from.startsWith('tally t');
  const match = from.startsWith('event_text')
    ? sql('event_text MATCH ?', search ?? '')
    : sql('e.seq IN (SELECT rowid FROM event_text WHERE event_text MATCH ?)', search ?? '');
  const where = all([
    sql(`${overTally ? 't' : 'e'}.tenant = ?`, tenant),
    ...[status, severity].filter((condition) => condition !== undefined).map(overTally ? inTally : (same) => same),
    ...[source, ci, correlation].filter((condition) => condition !== undefined),
    ...timeConditions(conditions),
    ...(search === undefined ? [] : [match]),
    ...extra,
  ]);
  return { text: `FROM ${from}${joins} WHERE ${where.text}`, values: where.values };
}

export const through = (access: Access, conditions: Conditions, withTally: boolean, extra: readonly Sql[] = []): Sql =>
  selection(FROM[access], conditions, withTally || hasTime(conditions), extra);
