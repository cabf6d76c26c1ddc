import { invalid } from '#domain/fault.ts';
import type { AggregateFilter } from '#domain/ports/events/event-aggregates.ts';
import type { ToolParams } from '#features/questions/rules/chat/tools.ts';
import type { Filters } from '#features/questions/rules/query.ts';
import { resolveFilters } from '#features/questions/use-cases/queries/resolve.ts';
import type { ChatAsking } from './context.ts';

type Conditions = Pick<
  ToolParams['analytics-query'],
  'severity' | 'status' | 'source' | 'type' | 'text' | 'environment'
>;

/** Parameters as filters of a query. */
export function filtersOf({ severity, status, source, type, text, environment }: Conditions): Filters {
  const lists = { severity, status, source, ci_type: type, environment };
  const given = Object.entries(lists).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value.split(',')] as const],
  );
  return { ...Object.fromEntries(given), ...(text !== undefined && { text }) };
}

/** As parameters are called where a name stands for nothing. Throws Fault `invalid`. */
export function refuseMissing(missing: readonly string[]): void {
  if (missing.length > 0) throw invalid('condition', `nothing is called ${missing.join(', ')}`);
}

/** Filters as stores take them. Throws Fault `invalid` for a name that stands for nothing. */
export async function conditionsOf(asking: ChatAsking, conditions: Conditions): Promise<AggregateFilter> {
  const filters = filtersOf(conditions);
  if (Object.keys(filters).length === 0) return {};
  const { filter, missing } = await resolveFilters(asking, filters);
  refuseMissing(missing.map(({ name }) => name));
  return filter;
}
