import type { ToolParams } from '#features/questions/rules/chat/tools.ts';
import type { Query } from '#features/questions/rules/query.ts';
import { runQuery } from '#features/questions/use-cases/queries/run-query.ts';
import { isoOrNull } from '#schemas/http/time.ts';
import { filtersOf, refuseMissing } from './conditions.ts';
import type { ChatAsking } from './context.ts';
import { ciOf, rangeOf, type ToolResult } from './tool-result.ts';

/** One number, as questions of reports count it: without a range of what stands now, else of the last seven days. */
export async function analyticsQuery(
  asking: ChatAsking,
  params: ToolParams['analytics-query'],
): Promise<ToolResult<'analytics-query'>> {
  const { metric, ciId, timeRange } = params;
  const ci = await ciOf(asking, 'ciId', ciId);
  const query: Query = {
    filters: { ...filtersOf(params), ...(ci !== null && { ci: [ci.id] }) },
    metric,
    groupBy: null,
    range: rangeOf(asking, timeRange),
    compareTo: null,
    sort: null,
    limit: null,
  };
  const { total, unit, count, range, missing } = await runQuery(asking, query);
  refuseMissing(missing);
  const row = {
    metric,
    value: total,
    unit,
    count,
    from: isoOrNull(range?.from ?? null),
    to: isoOrNull(range?.to ?? null),
    ciId: ci?.id ?? null,
    ciName: ci?.name ?? null,
  };
  return { rows: [row], total: 1 };
}
