import { everyService } from '#application/services/service-store.ts';
import { CRITICALITIES } from '#domain/event/business-impact.ts';
import { healthOf } from '#domain/services/health.ts';
import { capital } from '#domain/text.ts';
import { counted, factsOf, freeText, freeTexts } from '#features/ai/rules/findings.ts';
import type { NewItem } from '#features/ai/rules/pack.ts';
import { nounOf, said } from '#features/questions/rules/answers/describe-value.ts';
import type { CiName } from '#features/questions/rules/asking/memory.ts';
import type { Filters, Metric } from '#features/questions/rules/query.ts';
import type { QueryResult } from '#features/questions/rules/result.ts';
import { INPUTS, type ParamsOf } from '#features/questions/schemas/tool-input.ts';
import { requireReadable } from '#features/questions/use-cases/queries/asking.ts';
import { readTenantQuestion } from '#features/questions/use-cases/queries/read-query.ts';
import { runQuery } from '#features/questions/use-cases/queries/run-query.ts';
import { type Asking, listOf, type QuestionTool, queryOf, rangeOf } from '#features/questions/use-cases/tools/tool.ts';
import { lossesOn } from '#features/services/use-cases/assess.ts';
import { iso, isoOrNull } from '#schemas/http/time.ts';
import { cisOf } from './cis.ts';

const UNRESOLVED = 'open,acknowledged';
const LISTS: Readonly<Partial<Record<Metric, string>>> = {
  cis: '/v1/cmdb/ci',
  relationships: '/v1/cmdb/relationships',
  incidents: '/api/events/groups',
  service_health: '/v1/services',
  ai_cost: '/api/monitoring/ai',
};

/** A number and the rows of its grouping. */
export interface NumberRow {
  readonly metric: Metric;
  readonly value: number | null;
  readonly count: number;
  readonly from: string | null;
  readonly to: string | null;
  readonly ciName: string | null;
  readonly result: QueryResult;
}
const MAX_NAMES = 200;
const PLAIN_QUERY = { filters: {}, groupBy: null, range: null, compareTo: null, sort: null, limit: null } as const;

const filtersOf = (params: ParamsOf<typeof INPUTS.query>): Filters => {
  const { severity, status, source, type, service, environment, search } = params;
  const lists = { severity, status, source, ci_type: type, service, environment };
  const given = Object.entries(lists).flatMap(([name, words]) => {
    const list = listOf<string>(words);
    return list === undefined ? [] : [[name, list] as const];
  });
  return { ...Object.fromEntries(given), ...(search !== undefined && { text: search }) };
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
    const { range } = result;
    const row = {
      metric: result.query.metric,
      value: result.total,
      count: result.count,
      from: isoOrNull(range?.from ?? null),
      to: isoOrNull(range?.to ?? null),
      ciName:
        cis
          ?.map(({ name }) => name)
          .join(', ')
          .slice(0, MAX_NAMES) ?? null,
      result,
    };
    return { rows: [row], total: 1 };
  },
  items: ({ metric, value, count, from, to, ciName, result }) => [
    {
      kind: 'query',
      id: `${metric}${queryOf({ from: from ?? undefined, to: to ?? undefined, ci: ciName ?? undefined })}`,
      label: nounOf(metric),
      facts: [
        ...factsOf({ value: value ?? 'none', count }),
        ...result.rows
          .slice(0, 8)
          .flatMap((row) => (result.query.groupBy === null ? [] : [freeText(row.label, String(row.value ?? 'none'))])),
        ...factsOf({ from, to }),
      ],
      href:
        metric === 'open_events'
          ? `/api/events${queryOf({ status: UNRESOLVED })}`
          : (LISTS[metric] ?? `/v1/events${queryOf({ from: from ?? undefined, to: to ?? undefined })}`),
    },
  ],
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
}
export const isSick = ({ status }: ToolServiceRow): boolean => status === 'critical' || status === 'degraded';

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
  const rows = known.map(({ id, name, criticality, components }): ToolServiceRow => {
    const { status, score } =
      losses === null ? { status: 'unknown' as const, score: 100 } : healthOf(components, losses);
    return { id, name, criticality, status, score, components: components.map(({ ciId }) => ciId) };
  });
  return { rows: rows.toSorted((a, b) => a.score - b.score || rank(a) - rank(b)), total: every.length };
};
const serviceItem = ({ id, name, criticality, status, score }: ToolServiceRow): NewItem => ({
  kind: 'service',
  id,
  label: name,
  facts: factsOf({ criticality, health: status, score }),
});

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

export interface ContextRow {
  readonly currentCI: CiName | null;
  /** Null where the caller may not read them. */
  readonly cis: number | null;
  readonly openEvents: number | null;
  readonly time: string;
  readonly topics: readonly string[];
  /** Services that are not healthy, worst first; null: no permission. */
  readonly troubled: readonly ToolServiceRow[] | null;
  /** Arrival of the first event; null: none, or no permission. */
  readonly dataSince: string | null;
}
export const context: QuestionTool<Record<string, never>, ContextRow> = {
  name: 'get_context',
  title: 'Get the context',
  description:
    "Current CI of the conversation, counts of CIs and open events, services that aren't healthy, time, and arrival of the first event.",
  input: INPUTS.none,
  chat: { name: 'get-context', params: {} },
  permission: null,
  async run(asking) {
    const { tenant, ports, caller, current, topics, receivedAt } = asking;
    const mayHear = caller.permissions.has('events.read');
    const page = { sort: 'timestamp', order: 'asc', limit: 1 } as const;
    const [cis, open, first, health] = await Promise.all([
      caller.permissions.has('cmdb.read') ? ports.counts.cis(tenant) : null,
      mayHear ? ports.events.find(tenant, { statuses: ['open', 'acknowledged'] }, page) : null,
      mayHear ? ports.events.part(tenant, {}, page) : null,
      mayHear && caller.permissions.has('services.read') ? healthNow(asking) : null,
    ]);
    const [oldest] = first?.items ?? [];
    const row: ContextRow = {
      currentCI: current,
      cis,
      openEvents: open?.total ?? null,
      time: iso(receivedAt),
      topics,
      troubled: health?.rows.filter(({ status }) => status !== 'healthy') ?? null,
      dataSince: oldest === undefined ? null : iso(oldest.timestamp),
    };
    return { rows: [row], total: 1 };
  },
  items: ({ currentCI, cis, openEvents, time, troubled }) => [
    {
      kind: 'query',
      id: 'get-context',
      label: 'context',
      facts: [
        ...freeTexts({ 'current CI': currentCI?.name }),
        ...factsOf({ CIs: cis, 'open events': openEvents, 'services degraded or down': troubled?.length, time }),
      ],
      href: '/v1/cmdb/ci',
    },
    ...(troubled ?? []).slice(0, 8).map(serviceItem),
  ],
  noun: 'count',
  tell: ({ cis, openEvents }) =>
    [cis === null ? '' : `CMDB: ${counted(cis, 'CI')}.`, openEvents === null ? '' : `Open events: ${openEvents}.`]
      .join(' ')
      .trim(),
  none: 'No data.',
};
