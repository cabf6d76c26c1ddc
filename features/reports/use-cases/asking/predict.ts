import { itemAt, lastItem } from '#domain/assert.ts';
import { type Backtest, type ForecastMethod, forecast, type Predicted } from '#features/ai/rules/forecast/forecast.ts';
import { calendarOf } from '#features/ai/rules/time/calendar.ts';
import { isRate } from '#features/questions/rules/answers/insights.ts';
import { bucketEdges } from '#features/questions/rules/edges.ts';
import type { QueryResult } from '#features/questions/rules/query.ts';
import type { QueryAsking } from '#features/questions/use-cases/queries/asking.ts';
import { runQuery } from '#features/questions/use-cases/queries/run-query.ts';

export interface Predictions {
  /** Start of the hour or day, ms. */
  readonly predicted: readonly (Predicted & { readonly at: number })[];
  readonly unit: 'hour' | 'day';
  readonly method: ForecastMethod | null;
  readonly backtest: Backtest | null;
  /** Reason why there is no forecast. */
  readonly reason: string | null;
}

const HOURS = { unit: 'hour', perDay: 24, weeks: 8, ahead: 24 } as const;
const DAYS = { unit: 'day', perDay: 1, weeks: 26, ahead: 7 } as const;
/** Number of steps per query. */
const CHUNK = 900;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
const SHORT_MS = 2 * DAY_MS;

const none = (unit: 'hour' | 'day', reason: string): Predictions => ({
  predicted: [],
  unit,
  method: null,
  backtest: null,
  reason,
});

/** Counts per complete step, oldest first, starting with the first step that has any. */
async function countsOf(
  asking: QueryAsking,
  { query }: QueryResult,
  { unit, perDay, weeks }: typeof HOURS | typeof DAYS,
) {
  const calendar = calendarOf(asking.zone);
  const end = calendar.startOf(unit, asking.receivedAt);
  const start = calendar.add(end, -weeks, 'week');
  const edges = [start];
  const step = CHUNK * (unit === 'hour' ? HOUR_MS : DAY_MS);
  while (lastItem(edges) < end) edges.push(Math.min(calendar.startOf(unit, lastItem(edges) + step), end));
  const plain = { ...query, groupBy: unit, compareTo: null, sort: null, limit: null } as const;
  const counts: number[] = [];
  for (let i = 0; i + 1 < edges.length; i++) {
    const { rows } = await runQuery(asking, { ...plain, range: { from: itemAt(edges, i), to: itemAt(edges, i + 1) } });
    counts.push(...rows.map(({ value }) => value ?? 0));
  }
  const first = counts.findIndex((count) => count > 0);
  return { counts: first < 0 ? [] : counts.slice(first), perDay, end };
}

/** Forecasts counts for the next hours or days. */
export async function predict(asking: QueryAsking, result: QueryResult): Promise<Predictions> {
  const { query, range } = result;
  const isShort = query.groupBy === 'hour' || (range !== null && range.to - range.from <= SHORT_MS);
  const steps = isShort ? HOURS : DAYS;
  const isByThing = query.groupBy !== null && !['hour', 'day', 'week'].includes(query.groupBy);
  if (!isRate(result) && query.metric !== 'occurrences')
    return none(steps.unit, `Forecasts support counts over time only, not ${query.metric}.`);
  if (isByThing)
    return none(steps.unit, `Forecasts don't support grouping by ${query.groupBy}. Ask without grouping, or by day.`);
  const series = await countsOf(asking, result, steps);
  const found = forecast(series, steps.ahead);
  if ('reason' in found) return none(steps.unit, found.reason);
  const calendar = calendarOf(asking.zone);
  const until = calendar.add(series.end, steps.ahead, steps.unit);
  const edges = bucketEdges({ from: series.end, to: until }, steps.unit, asking.zone);
  return {
    predicted: found.predicted.map((one, i) => ({ at: edges[i] ?? series.end, ...one })),
    unit: steps.unit,
    method: found.method,
    backtest: found.backtest,
    reason: null,
  };
}
