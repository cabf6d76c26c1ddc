import { itemAt } from '#domain/assert.ts';
import { severityOfRank } from '#domain/event/event.ts';
import { MAX_RESOLUTION_MS } from '#domain/event/lifecycle/resolution-time.ts';
import type {
  Aggregated,
  AggregateFilter,
  AggregateKey,
  AggregateRequest,
  Bucket,
  Measure,
} from '#domain/ports/events/event-aggregates.ts';
import { aggregated, boundsOf, edgeAt, type TimeBounds } from '#infra/aggregated.ts';
import type { RowReader } from '#infra/embedded/redo-log/connections.ts';
import { type Sql, sql } from '#infra/embedded/sqlite/sql.ts';
import { conditionsOf, selection } from './filter.ts';
import { statusOfCode } from './row.ts';

export interface AggregateEvents {
  readonly tenant: string;
  readonly filter: AggregateFilter;
  readonly request: AggregateRequest;
}

/** Calendar edges are multiples of this in every current time zone. */
const SLOT_MS = 15 * 60_000;
/** Groups that SQLite makes before they are put between edges: 15 minutes of a year and some keys. */
const MAX_GROUPS = 200_000;

const said = (name: string): string => `json_extract(e.body, '$.${name}')`;
const SERVICE = `coalesce(${said('service')}, ${said('application')})`;
const ENVIRONMENT = said('environment');
const ACKNOWLEDGED = `json_extract(e.state, '$.acknowledgedAt') - t.first`;

interface MeasureColumns {
  readonly sum: string;
  /** The time that ranges are of. */
  readonly at: string;
  readonly where?: string;
  readonly withTally?: true;
}
const MEASURED: Readonly<Record<Measure, MeasureColumns>> = {
  events: { sum: 'count(*)', at: 'e.timestamp' },
  occurrences: { sum: 'sum(t.count)', at: 'e.timestamp', withTally: true },
  correlated: { sum: 'sum(e.correlation_id IS NOT NULL)', at: 'e.timestamp' },
  resolution: {
    sum: 'sum(e.open_ms)',
    at: 'e.resolved_at',
    where: `e.resolved_at IS NOT NULL AND e.open_ms BETWEEN 0 AND ${MAX_RESOLUTION_MS}`,
  },
  acknowledgement: {
    sum: `sum(${ACKNOWLEDGED})`,
    at: 'e.timestamp',
    // Most were never acknowledged, and looking for a word costs a tenth of parsing.
    where: `instr(e.state, '"acknowledgedAt":') > 0 AND ${ACKNOWLEDGED} BETWEEN 0 AND ${MAX_RESOLUTION_MS}`,
    withTally: true,
  },
};

const COLUMNS: Readonly<Record<Exclude<AggregateKey, 'time'>, string>> = {
  severity: 'e.severity',
  status: 'e.status',
  source: 'e.source',
  ci: 'e.ci_id',
  host: said('hostname'),
  service: SERVICE,
  environment: ENVIRONMENT,
  signature: 'e.signature',
  group: 'e.correlation_id',
};

/** The index that leads to the fewest events, in the order of how much each narrows. */
function fromOf({ search, correlationIds, ciIds, signatures, sources, statuses }: AggregateFilter, measure: Measure) {
  if (search !== undefined) return 'event_text CROSS JOIN event e ON e.seq = event_text.rowid';
  if (correlationIds) return 'event e INDEXED BY event_correlation';
  if (ciIds) return 'event e INDEXED BY event_ci';
  if (signatures) return 'event e INDEXED BY event_signature';
  if (measure === 'resolution') return 'event e INDEXED BY event_resolved';
  if (statuses && !statuses.includes('resolved')) return 'event e INDEXED BY event_status';
  return sources ? 'event e INDEXED BY event_source' : 'event e INDEXED BY event_timestamp';
}

const oneOf = (column: string, values: readonly string[]): Sql =>
  sql(`${column} IN (SELECT value FROM json_each(?))`, JSON.stringify(values));

function extraOf(
  { environments, signatures, ofService, changes }: AggregateFilter,
  { from, to }: TimeBounds,
  { at, where }: MeasureColumns,
): Sql[] {
  return [
    ...(from === -Infinity ? [] : [sql(`${at} >= ?`, from)]),
    ...(to === Infinity ? [] : [sql(`${at} < ?`, to)]),
    ...(environments ? [oneOf(ENVIRONMENT, environments)] : []),
    ...(signatures ? [oneOf('e.signature', signatures)] : []),
    ...(changes === undefined ? [] : [sql(`e.is_change = ${changes ? 1 : 0}`)]),
    ...(where === undefined ? [] : [sql(where)]),
    ...(ofService ? [eitherOf(oneOf(SERVICE, ofService.names), oneOf('e.ci_id', ofService.ciIds))] : []),
  ];
}
const eitherOf = (one: Sql, other: Sql): Sql => sql(`(${one.text} OR ${other.text})`, ...one.values, ...other.values);

const keyOf = (key: AggregateKey, value: unknown, edges: readonly number[]): string | null => {
  if (value === null) return null;
  if (key === 'severity') return severityOfRank(Number(value));
  if (key === 'status') return statusOfCode(Number(value));
  // The first slot may begin before the first edge.
  return key === 'time' ? edgeAt(edges, Number(value) * SLOT_MS) : String(value);
};

/** Counts and sums events by common fields. */
export function aggregateEvents(reading: RowReader, { tenant, filter, request }: AggregateEvents): Aggregated {
  const { measure, by, edges = [], limit } = request;
  const measured = MEASURED[measure];
  const { from: _from, to: _to, ciIds, ...named } = filter;
  const conditions = conditionsOf(reading, tenant, { ...named, ...(ciIds && { ciId: ciIds }) });
  if (conditions.search === null) return { buckets: [], truncated: false };
  const extra = extraOf(filter, boundsOf(filter, request), measured);
  const rows = selection(fromOf(filter, measure), conditions, measured.withTally === true, extra);
  const columns = by.map((key) => (key === 'time' ? `${measured.at} / ${SLOT_MS}` : COLUMNS[key]));
  const grouped = columns.length === 0 ? '' : `GROUP BY ${columns.map((_, i) => i + 3).join(', ')}`;
  const order = ['1 DESC', ...columns.map((_, i) => String(i + 3))].join(', ');
  const most = by.includes('time') ? MAX_GROUPS : limit;
  const found = reading
    .arrays<readonly [count: number, sum: number | null, ...keys: unknown[]]>(
      `SELECT count(*), ${measured.sum}${columns.map((column) => `, ${column}`).join('')}
       ${rows.text} ${grouped} ORDER BY ${order} LIMIT ?`,
    )
    .all(...rows.values, most + 1);
  const buckets = found.slice(0, most).map(
    ([count, sum, ...keys]): Bucket => ({
      keys: keys.map((value, i) => keyOf(itemAt(by, i), value, edges)),
      count,
      sum: sum ?? 0,
    }),
  );
  return aggregated(buckets, limit, found.length > most);
}
