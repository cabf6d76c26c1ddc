import { assertDefined } from '#domain/assert.ts';
import { SEVERITIES } from '#domain/event/event.ts';
import { Fault } from '#domain/fault.ts';
import { calendarOf } from '#features/ai/rules/time/calendar.ts';
import type { Range } from '#features/ai/rules/time/range.ts';
import {
  isOfNow,
  isOfStanding,
  isTimed,
  MAX_ROWS,
  NONE,
  type Query,
  type QueryResult,
  type QueryRow,
  unfitFor,
  unitOf,
} from '#features/questions/rules/query.ts';
import { type CountedMetric, type QueryAsking, requireReadable } from './asking.ts';
import { countEvents } from './count-events.ts';
import { countIncidents } from './count-incidents.ts';
import { countCis, countRelationships, readHealth } from './count-inventory.ts';
import { readCost } from './read-cost.ts';
import { type Resolved, resolveFilters } from './resolve.ts';

const DEFAULT_DAYS = 7;

/** The range; metrics of the current state have none, others default to the last seven days. */
function rangeOf({ metric, range, filters }: Query, { receivedAt, zone }: QueryAsking): Range | null {
  if (range !== null || isOfNow(metric)) return range;
  if (isOfStanding({ metric, filters })) return null;
  return { from: calendarOf(zone).add(receivedAt, -DEFAULT_DAYS, 'day'), to: receivedAt };
}

function count(asking: QueryAsking, query: Query, resolved: Resolved, range: Range | null): Promise<CountedMetric> {
  const { metric, filters, groupBy } = query;
  const { filter } = resolved;
  const asked = { filters, resolved, groupBy, range };
  switch (metric) {
    case 'incidents':
    case 'incident_duration':
      return countIncidents(asking, {
        ...asked,
        filter,
        causes: resolved.causes,
        isOfDuration: metric === 'incident_duration',
      });
    case 'cis':
      return countCis(asking, asked);
    case 'relationships':
      return countRelationships(asking, asked);
    case 'service_health':
      return readHealth(asking, asked);
    case 'ai_cost':
      return readCost(asking, asked);
    default:
      return countEvents(asking, { metric, filter, groupBy, range });
  }
}

const rankOf = ({ key }: QueryRow): number => {
  const rank = (SEVERITIES as readonly string[]).indexOf(key);
  return rank < 0 ? SEVERITIES.length : rank;
};
const low = (value: number | null): number => value ?? -Infinity;

/** Rows of time in their order, severities by rank, others the largest first; those of nothing last. */
function ordered(rows: readonly QueryRow[], { sort, groupBy }: Query): QueryRow[] {
  const byLabel = (a: QueryRow, b: QueryRow): number => (a.label < b.label ? -1 : a.label > b.label ? 1 : 0);
  const byValue = (a: QueryRow, b: QueryRow): number => {
    if (a.value === null || b.value === null) return Number(a.value === null) - Number(b.value === null);
    return sort === 'asc' ? a.value - b.value : low(b.value) - low(a.value);
  };
  const isNone = ({ key }: QueryRow): number => Number(key === NONE);
  const natural =
    sort === null && isTimed(groupBy) ? byKey : sort === null && groupBy === 'severity' ? byRank : byValue;
  return [...rows].sort((a, b) => isNone(a) - isNone(b) || natural(a, b) || byLabel(a, b));
}
const byKey = (a: QueryRow, b: QueryRow): number => (a.key < b.key ? -1 : 1);
const byRank = (a: QueryRow, b: QueryRow): number => rankOf(a) - rankOf(b);

/** The value of each row in the range before; of times, which are others then, by their place. */
function withPrevious(rows: readonly QueryRow[], before: CountedMetric, { groupBy, metric }: Query): QueryRow[] {
  const byKeyOf = new Map(before.rows.map((row) => [row.key, row.value]));
  const absent = unitOf(metric) === 'count' ? 0 : null;
  return rows.map((row, i) => ({
    ...row,
    previous: isTimed(groupBy) ? (before.rows[i]?.value ?? null) : (byKeyOf.get(row.key) ?? absent),
  }));
}

const NOTHING: CountedMetric = { rows: [], total: null, count: 0, truncated: false };

/** Runs a query as the caller. Throws Fault `invalid` for a wrong grouping or filter, `forbidden`, and `unavailable` on a timeout. */
export async function runQuery(asking: QueryAsking, query: Query): Promise<QueryResult> {
  const { metric, compareTo, limit } = query;
  requireReadable(asking, metric);
  const unfit = unfitFor(query);
  if (unfit !== null) throw new Fault('invalid', unfit.reason, [unfit]);
  const range = rangeOf(query, asking);
  const resolved = await resolveFilters(asking, query.filters);
  const missing =
    metric === 'ai_cost' ? [] : resolved.missing.filter(({ kind }) => metric !== 'cis' || kind !== 'environment');
  const names = missing.map(({ name }) => name);
  const run = (of: Range | null): Promise<CountedMetric> =>
    names.length > 0 ? Promise.resolve(NOTHING) : count(asking, query, resolved, of);
  const earlier = compareTo === null || range === null ? null : { from: 2 * range.from - range.to, to: range.from };
  const [counted, before] = await Promise.all([run(range), earlier && run(earlier)]);
  const compared = before === null ? counted.rows : withPrevious(counted.rows, before, query);
  const rows = ordered(compared, query);
  const shown = rows
    .filter(({ key }) => limit === null || key !== NONE)
    .slice(0, Math.min(limit ?? MAX_ROWS, MAX_ROWS));
  return {
    query,
    unit: unitOf(metric),
    rows: shown,
    total: counted.total,
    count: counted.count,
    truncated: counted.truncated || resolved.truncated || rows.length > MAX_ROWS,
    range,
    previous: before && { range: assertDefined(earlier, 'earlier range'), total: before.total, count: before.count },
    missing: names,
  };
}
