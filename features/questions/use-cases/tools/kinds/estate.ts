import { everyService } from '#application/services/service-store.ts';
import { CRITICALITIES } from '#domain/event/business-impact.ts';
import { healthOf } from '#domain/services/health.ts';
import { capital } from '#domain/text.ts';
import { counted, factsOf, freeText, freeTexts } from '#features/ai/rules/findings.ts';
import type { NewItem } from '#features/ai/rules/pack.ts';
import { nounOf, said } from '#features/questions/rules/answers/describe-value.ts';
import type { CiName } from '#features/questions/rules/asking/memory.ts';
import { type Filters, given, type Metric, type QueryResult } from '#features/questions/rules/query.ts';
import { INPUTS, type ParamsOf } from '#features/questions/schemas/tool-input.ts';
import { requireReadable } from '#features/questions/use-cases/queries/asking.ts';
import { readTenantQuestion } from '#features/questions/use-cases/queries/read-query.ts';
import { runQuery } from '#features/questions/use-cases/queries/run-query.ts';
import { lossesOn } from '#features/services/use-cases/assess.ts';
import { iso, isoOrNull } from '#schemas/http/time.ts';
import { type Asking, item, listOf, type QuestionTool, queryOf, rangeOf } from '../tool.ts';
import { cisOf } from './cis.ts';

const UNRESOLVED = 'open,acknowledged';
const LISTS: Readonly<Partial<Record<Metric, string>>> = {
  open_events: `/api/events${queryOf({ status: UNRESOLVED })}`,
  cis: '/v1/cmdb/ci',
  relationships: '/v1/cmdb/relationships',
  incidents: '/api/events/groups',
  service_health: '/v1/services',
  ai_cost: '/api/monitoring/ai',
};

const MAX_NAMES = 200;
/** A number and the rows of its grouping. */
const numberRow = (result: QueryResult, cis: readonly CiName[] | null) => ({
  metric: result.query.metric,
  value: result.total,
  count: result.count,
  from: isoOrNull(result.range?.from ?? null),
  to: isoOrNull(result.range?.to ?? null),
  ciName:
    cis
      ?.map(({ name }) => name)
      .join(', ')
      .slice(0, MAX_NAMES) ?? null,
  result,
});
export type NumberRow = ReturnType<typeof numberRow>;
const PLAIN_QUERY = { filters: {}, groupBy: null, range: null, compareTo: null, sort: null, limit: null } as const;

const filtersOf = (params: ParamsOf<typeof INPUTS.query>): Filters => {
  const { severity, status, source, type, service, environment, search: text } = params;
  const lists = Object.entries({ severity, status, source, ci_type: type, service, environment });
  return given({ ...Object.fromEntries(lists.map(([name, words]) => [name, listOf<string>(words)])), text });
};
export const query: QuestionTool<ParamsOf<typeof INPUTS.query>, NumberRow> = {
  name: 'analytics_query',
  title: 'Query metrics',
  description: 'Counts, durations and shares of events, incidents, CIs and more: one number, or a table with group_by.',
  input: INPUTS.query,
  chat: { name: 'analytics-query', params: { ci: 'ciId', time_range: 'timeRange', search: 'text' } },
  permission: null,
  async run(asking, params) {
    const { metric, ci: named, time_range, question, group_by, sort, top } = params;
    requireReadable(asking, metric);
    const cis = await cisOf(asking, 'ci', named);
    const read = question === undefined ? null : await readTenantQuestion(asking, question);
    const own = read?.query ?? { ...PLAIN_QUERY, metric };
    const result = await runQuery(asking, {
      ...own,
      filters: { ...own.filters, ...filtersOf(params), ...(cis && { ci: cis.map(({ id }) => id) }) },
      range: rangeOf(asking, time_range) ?? own.range,
      groupBy: group_by ?? own.groupBy,
      sort: sort ?? own.sort,
      limit: top ?? own.limit,
    });
    return { rows: [numberRow(result, cis)], total: 1 };
  },
  items: ({ metric, value, count, result, ciName, ...ends }) => {
    const [from, to, ci] = [ends.from, ends.to, ciName].map((one) => one ?? undefined);
    const shown = result.query.groupBy === null ? [] : result.rows.slice(0, 8);
    const rows = shown.map((row) => freeText(row.label, String(row.value ?? 'none')));
    const numbers = factsOf({ value: value ?? 'none', count });
    const id = `${metric}${queryOf({ from, to, ci })}`;
    const href = LISTS[metric] ?? `/v1/events${queryOf({ from, to })}`;
    return [{ ...item('query', id, nounOf(metric), numbers, rows, factsOf({ from, to })), href }];
  },
  noun: 'metric',
  tell: ({ metric, value, result }) =>
    capital(`${nounOf(metric)}: ${value === null ? 'no data' : said(value, result.unit)}.`),
  more: ({ result }) =>
    result.query.groupBy === null
      ? []
      : result.rows.map(({ label, value }) => `${label}: ${value === null ? 'no data' : said(value, result.unit)}`),
  none: 'No data.',
};

export interface ToolServiceRow {
  readonly id: string;
  readonly name: string;
  readonly criticality: (typeof CRITICALITIES)[number];
  readonly status: 'healthy' | 'degraded' | 'critical' | 'unknown';
  /** 0 to 100. */
  readonly score: number;
  readonly components: readonly string[];
  /** Creation, ms. */
  readonly since: number;
}
export const isSick = ({ status }: Pick<ToolServiceRow, 'status'>): boolean =>
  status === 'critical' || status === 'degraded';

/** Services that are read, most critical first. */
const LOOKED_AT = 200;

const healthNow = async ({ tenant, ports, caller }: Asking, search?: string) => {
  const all = await everyService(ports.records, tenant);
  const part = search?.toLowerCase();
  const every = part === undefined ? all : all.filter(({ name }) => name.toLowerCase().includes(part));
  const rank = ({ criticality }: { readonly criticality: ToolServiceRow['criticality'] }): number =>
    CRITICALITIES.indexOf(criticality);
  const known = every.toSorted((a, b) => rank(a) - rank(b)).slice(0, LOOKED_AT);
  const losses = caller.permissions.has('events.read') ? await lossesOn(ports, tenant, known) : null;
  const rows = known.map(({ id, name, criticality, components, createdAt: since }): ToolServiceRow => {
    const { status, score } =
      losses === null ? { status: 'unknown' as const, score: 100 } : healthOf(components, losses);
    return { id, name, criticality, status, score, components: components.map(({ ciId }) => ciId), since };
  });
  return { rows: rows.toSorted((a, b) => a.score - b.score || rank(a) - rank(b)), total: every.length };
};
const serviceItem = ({ id, name, criticality, status, score }: ToolServiceRow): NewItem =>
  item('service', id, name, factsOf({ criticality, health: status, score }));

export const services: QuestionTool<ParamsOf<typeof INPUTS.services>, ToolServiceRow> = {
  name: 'service_health',
  title: 'Get service health',
  description: 'Business services with their current health, worst first.',
  input: INPUTS.services,
  permission: 'services.read',
  run: (asking, { search }) => healthNow(asking, search),
  items: (row) => [serviceItem(row)],
  href: () => '/v1/services',
  noun: 'service',
  tell: ({ name, criticality, status, score }) => `${name} (${criticality}): ${status}, health ${score} of 100.`,
  none: 'No services found.',
};

/** Counts and times of the tenant; null where the caller may not read them. */
async function contextRow(asking: Asking) {
  const { tenant, ports, caller, current, topics, receivedAt } = asking;
  const mayHear = caller.permissions.has('events.read');
  const page = { sort: 'timestamp', order: 'asc', limit: 1 } as const;
  const [cis, open, first, health] = await Promise.all([
    caller.permissions.has('cmdb.read') ? ports.counts.cis(tenant) : null,
    mayHear ? ports.events.find(tenant, { statuses: ['open', 'acknowledged'] }, page) : null,
    mayHear ? ports.events.part(tenant, {}, page) : null,
    mayHear && caller.permissions.has('services.read') ? healthNow(asking) : null,
  ]);
  return {
    currentCI: current,
    cis,
    openEvents: open?.total ?? null,
    time: iso(receivedAt),
    topics,
    // Services that are not healthy, worst first.
    troubled: health?.rows.filter(({ status }) => status !== 'healthy') ?? null,
    // Arrival of the first event.
    dataSince: isoOrNull(first?.items[0]?.timestamp ?? null),
  };
}
export const context: QuestionTool<Record<string, never>, Awaited<ReturnType<typeof contextRow>>> = {
  name: 'get_context',
  title: 'Get the context',
  description:
    "Current CI of the conversation, counts of CIs and open events, services that aren't healthy, time, and arrival of the first event.",
  input: INPUTS.none,
  chat: { name: 'get-context', params: {} },
  permission: null,
  run: async (asking) => ({ rows: [await contextRow(asking)], total: 1 }),
  items: ({ currentCI, cis, openEvents, time, troubled }) => {
    const counts = factsOf({
      CIs: cis,
      'open events': openEvents,
      'services degraded or down': troubled?.length,
      time,
    });
    const whole = item('query', 'get-context', 'context', freeTexts({ 'current CI': currentCI?.name }), counts);
    return [{ ...whole, href: '/v1/cmdb/ci' }, ...(troubled ?? []).slice(0, 8).map(serviceItem)];
  },
  noun: 'count',
  tell: ({ cis, openEvents }) =>
    [cis === null ? '' : `CMDB: ${counted(cis, 'CI')}.`, openEvents === null ? '' : `Open events: ${openEvents}.`]
      .join(' ')
      .trim(),
  none: 'No data.',
};
