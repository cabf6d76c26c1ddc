import { z } from 'zod';
import { endpoint, on } from '#api/surfaces/endpoint.ts';
import type { UseCaseContext } from '#application/access/context.ts';
import { withTeamsOf } from '#application/access/team-store.ts';
import { firstArrival } from '#application/events/first-arrival.ts';
import { wholeIn, wholesOf } from '#application/groups/cause-wholes.ts';
import { findRows, isLone, type ListedRow } from '#application/groups/listing/list-rows.ts';
import { type GroupHit, hitsOfRows } from '#application/groups/services-of-causes.ts';
import { correlationSettings, lifecycleSettings } from '#application/records/tenant-settings.ts';
import {
  CAUSE_VERDICTS,
  GROUP_STATUSES,
  type ListedGroup,
  leadingEventOf,
} from '#domain/correlation/grouping/group-state.ts';
import { quietTimeMs } from '#domain/correlation/grouping/groups.ts';
import { secondBestOf } from '#domain/correlation/root-cause/certain.ts';
import { type Event, SEVERITIES, type Severity } from '#domain/event/event.ts';
import type { Page } from '#domain/page.ts';
import { GROUP_ROW_SORTS, type GroupRowFilter, type GroupRowSort } from '#domain/ports/events/group-rows.ts';
import type { Ci } from '#domain/topology/topology.ts';
import { choicesPattern, commaList, flag, searchText, sortOrder } from '#schemas/http/common.ts';
import { succeededPage } from '#schemas/http/envelope.ts';
import { GroupBody, GroupRowBody, groupRowView, groupView } from '#schemas/http/events/groups.ts';
import { loneRowView, loneView } from '#schemas/http/events/lone-view.ts';
import { type Paging, pageFields, pageInfo, pageRequest, withinWindow } from '#schemas/http/paging.ts';
import { TIME_RANGES, Time, TimeRange } from '#schemas/http/time.ts';
import { storedSources } from '#sources/sources.ts';

/** The former meaning of `status`. */
const FORMER: Readonly<Record<string, string>> = { open: 'growing=true', closed: 'growing=false' };

const statuses = z
  .string()
  .transform((text) => text.split(',').map((word) => word.trim()))
  .check(({ value, issues }) => {
    for (const word of value) {
      const now = FORMER[word];
      const meant = now === undefined ? '' : `; status ${word} is now ${now}`;
      const message = `expected one or more of ${GROUP_STATUSES.join(', ')}${meant}`;
      if (!GROUP_STATUSES.some((one) => one === word)) issues.push({ code: 'custom', input: word, message });
    }
  })
  .transform((words) => words as (typeof GROUP_STATUSES)[number][])
  .meta({
    type: 'string',
    pattern: choicesPattern(GROUP_STATUSES),
    description: `Comma-separated list of ${GROUP_STATUSES.join(', ')}`,
  });

const name = () => z.string().min(1).max(256);

const GroupsQuery = z
  .strictObject({
    status: statuses.optional(),
    growing: flag().optional(),
    hasOpen: flag().optional().meta({ description: 'True if an event is open or acknowledged' }),
    severity: commaList(SEVERITIES).optional(),
    service: name().optional(),
    source: name().optional(),
    host: name().optional(),
    ci: name().optional().meta({ description: 'CI ID' }),
    assignee: name().optional().meta({ description: 'me (with my teams), none, or the ID of a user or team' }),
    verdict: z
      .enum([...CAUSE_VERDICTS, 'none'])
      .optional()
      .meta({ description: 'Verdict on the root cause' }),
    search: searchText().optional().meta({ description: 'Words in the title or description of one event' }),
    timeRange: TimeRange.optional(),
    from: Time.optional(),
    to: Time.optional(),
    sortBy: z.enum(GROUP_ROW_SORTS).default('urgency'),
    sortOrder: sortOrder.default('desc'),
    include: z.literal('single').optional().meta({
      description: 'single: include ungrouped, non-recurring events in the same order; cursor pagination only',
    }),
    singleFrom: z.enum(SEVERITIES).optional().meta({
      description: 'Minimum severity of ungrouped events. Default: `loneFrom` in the lifecycle settings',
    }),
    view: z.literal('row').optional().meta({ description: 'row: omits the root-cause event' }),
    ...pageFields({ limit: 50, max: 100 }),
  })
  .check(withinWindow)
  .check(({ value: { include, page }, issues }) => {
    const message = 'include=single supports cursor pagination only';
    if (include === 'single' && page > 1) issues.push({ code: 'custom', input: page, path: ['page'], message });
  });

interface GroupsInput {
  readonly filter: Omit<GroupRowFilter, 'assignee'>;
  readonly assignee: string | undefined;
  readonly lastMs: number | undefined;
  readonly paging: Paging;
  readonly sort: GroupRowSort;
  readonly order: 'asc' | 'desc';
  readonly isRow: boolean;
  /** Events in no group, too; from this severity up, or from that of the settings. */
  readonly single: { readonly from: Severity | undefined } | null;
}
interface Groups {
  /** Groups without an arrival since then accept no more members, regardless of later events. */
  readonly quietBefore: number;
  readonly found: Page<ListedRow>;
  /** Causes, and the best alternatives of uncertain ones. */
  readonly named: ReadonlyMap<string, Event>;
  /** CIs of root causes that are named because of their parts. */
  readonly wholes: ReadonlyMap<string, Ci>;
  /** Services that each hits, by its id. */
  readonly hits: ReadonlyMap<string, GroupHit>;
  readonly paging: Paging;
  readonly isRow: boolean;
  /** Event time of the tenant's first new event, ms. */
  readonly first: number | null;
}

const given = <K extends string, V>(key: K, value: V | undefined) =>
  (value === undefined ? {} : { [key]: value }) as { readonly [P in K]?: V };

const filterOf = (query: z.output<typeof GroupsQuery>): GroupsInput['filter'] => ({
  ...given('statuses', query.status),
  ...given('growing', query.growing),
  ...given('hasOpen', query.hasOpen),
  ...given('severities', query.severity),
  ...given('service', query.service),
  ...given('source', query.source && storedSources([query.source])[0]),
  ...given('host', query.host),
  ...given('ci', query.ci),
  ...given('verdict', query.verdict === 'none' ? null : query.verdict),
  ...given('search', query.search),
  ...given('from', query.from),
  ...given('to', query.to),
});

const NO_HIT: GroupHit = { now: [], ever: [] };

const assigneeAsked = async ({ ports, tenant, caller }: UseCaseContext, asked: string) => {
  if (asked === 'none') return null;
  return asked === 'me' ? withTeamsOf(ports.records, tenant, caller.id) : asked;
};

export const listGroups = endpoint<GroupsInput, Groups>({
  id: 'events.groups',
  summary: 'List correlation groups, most urgent first',
  description:
    'Default order: highest severity among open and acknowledged events, number of affected services, unacknowledged first, latest arrival. `include=single` adds ungrouped events as groups of one; group operations accept their IDs.',
  tag: 'Correlation',
  permission: 'events.read',
  limit: 'query',
  mounts: on.events.get('/groups', {
    query: GroupsQuery,
    reply: succeededPage({ groups: z.array(z.union([GroupBody, GroupRowBody])) }),
    read: ({ query }): GroupsInput => ({
      filter: filterOf(query),
      assignee: query.assignee,
      lastMs: query.timeRange && TIME_RANGES[query.timeRange],
      paging: query,
      sort: query.sortBy,
      order: query.sortOrder,
      isRow: query.view === 'row',
      single: query.include === 'single' ? { from: query.singleFrom } : null,
    }),
    present: ({ found, named, wholes, hits, paging, first, quietBefore, isRow }) => ({
      body: {
        groups: found.items.map((row) => {
          if (isLone(row)) {
            const hit = hits.get(row.id) ?? NO_HIT;
            return (isRow ? loneRowView : loneView)(row, { hit, first });
          }
          const { candidate } = row.group;
          const root = named.get(leadingEventOf(row) ?? '') ?? null;
          const second = named.get(secondBestOf(candidate) ?? '') ?? null;
          const hit = hits.get(row.group.id) ?? NO_HIT;
          const isCandidate = leadingEventOf(row) === candidate?.eventId;
          const whole = (isCandidate ? wholes.get(wholeIn(candidate) ?? '') : undefined) ?? null;
          return (isRow ? groupRowView : groupView)(row, { root, hit, second, whole, first, quietBefore });
        }),
      },
      page: pageInfo(paging, found),
    }),
  }),
  async handle({ filter, assignee, lastMs, paging, sort, order, isRow, single }, context) {
    const { tenant, ports, receivedAt } = context;
    const quietBefore = receivedAt - quietTimeMs(await correlationSettings(ports.records, tenant));
    const asked = {
      quietBefore,
      ...filter,
      ...(assignee !== undefined && { assignee: await assigneeAsked(context, assignee) }),
      ...(lastMs !== undefined && { from: receivedAt - lastMs }),
    };
    const page = pageRequest(paging, sort, order);
    const found: Page<ListedRow> =
      single === null
        ? await ports.groupRows.find(tenant, asked, page)
        : await findRows(
            ports,
            tenant,
            asked,
            page,
            single.from ?? (await lifecycleSettings(ports.records, tenant)).loneFrom,
          );
    const groups = found.items.filter((row): row is ListedGroup => !isLone(row));
    const ids = groups.flatMap((row) =>
      [leadingEventOf(row), secondBestOf(row.group.candidate)].flatMap((id) => id ?? []),
    );
    const [causes, wholes] = await Promise.all([
      ports.events.getMany(tenant, ids),
      wholesOf(
        ports,
        tenant,
        groups.map(({ group }) => group),
      ),
    ]);
    const named = new Map(causes.map((event) => [event.id, event]));
    const hits = await hitsOfRows(context, found.items, (row) => named.get(leadingEventOf(row) ?? ''));
    const first = found.items.length === 0 ? null : await firstArrival(ports, tenant);
    return { quietBefore, found, named, wholes, hits, paging, first, isRow };
  },
});
