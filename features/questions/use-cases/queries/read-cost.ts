import { itemAt } from '#domain/assert.ts';
import type { Range } from '#features/ai/rules/time/range.ts';
import { dayOf, startOfDay, totalOf, USAGE_KEPT_MS, type UsageDay } from '#features/ai/rules/usage.ts';
import { usageDays } from '#features/ai/use-cases/usage/read-usage.ts';
import { bucketEdges } from '#features/questions/rules/edges.ts';
import { type Filters, type Grouping, type QueryRow, wholeRow } from '#features/questions/rules/query.ts';
import { iso } from '#schemas/http/time.ts';
import type { CountedMetric, QueryAsking } from './asking.ts';

export interface ReadCost {
  readonly filters: Filters;
  readonly groupBy: Grouping | null;
  readonly range: Range | null;
}

const sumOf = (days: readonly UsageDay[]): Pick<QueryRow, 'value' | 'count'> => {
  const total = totalOf(days);
  return { value: total?.cost ?? 0, count: total?.calls ?? 0 };
};

const ofService = (days: readonly UsageDay[], matches: (service: string) => boolean): UsageDay[] =>
  days.map(({ day, rows }) => ({ day, rows: rows.filter(({ service }) => matches(service)) }));

/** The cost of the model, in the currency of its prices, by whole days (UTC). */
export async function readCost(asking: QueryAsking, { filters, groupBy, range }: ReadCost): Promise<CountedMetric> {
  const { tenant, ports, receivedAt } = asking;
  const oldest = receivedAt - USAGE_KEPT_MS;
  const { from, to } = { from: Math.max(range?.from ?? oldest, oldest), to: range?.to ?? receivedAt };
  const read = await usageDays(ports, tenant, { from: dayOf(from), to: dayOf(to - 1) });
  const { service } = filters;
  const days = service === undefined ? read : ofService(read, (name) => service.includes(name));
  const { value: total, count } = sumOf(days);
  const whole = { total, count, truncated: false };
  if (groupBy === null) return { ...whole, rows: [wholeRow(total, count)] };
  if (groupBy === 'service') {
    const names = [...new Set(days.flatMap(({ rows }) => rows.map((row) => row.service)))];
    const rows = names.map((name) => ({ key: name, label: name, ...sumOf(ofService(days, (one) => one === name)) }));
    return { ...whole, rows };
  }
  const edges = bucketEdges({ from: startOfDay(dayOf(from)), to }, groupBy === 'week' ? 'week' : 'day', 'UTC');
  const rows = edges.slice(0, -1).map((edge, i) => {
    const within = days.filter(({ day }) => startOfDay(day) >= edge && startOfDay(day) < itemAt(edges, i + 1));
    return { key: iso(edge), label: iso(edge), ...sumOf(within) };
  });
  return { ...whole, rows };
}
