import { z } from 'zod';
import { endpoint, mount } from '#api/surfaces/endpoint.ts';
import { firstArrival } from '#application/events/first-arrival.ts';
import { correlationSettings } from '#application/events/settings.ts';
import { quietTimeMs, statusAt } from '#domain/correlation/grouping/groups.ts';
import type { Group } from '#domain/correlation/records.ts';
import type { Event } from '#domain/event/event.ts';
import type { Page } from '#domain/page.ts';
import { GROUP_SORTS, type GroupSort } from '#domain/ports/correlation-store.ts';
import { sortOrder } from '#schemas/http/common.ts';
import { succeededPage } from '#schemas/http/envelope.ts';
import { EventBody, eventView } from '#schemas/http/events/event-view.ts';
import { GroupAnalysis, groupAnalysis } from '#schemas/http/events/group-view.ts';
import { type Paging, pageFields, pageInfo, pageRequest, withinWindow } from '#schemas/http/paging.ts';
import { TIME_RANGES, TimeRange } from '#schemas/http/time.ts';

const GroupsQuery = z
  .strictObject({
    status: z.enum(['open', 'closed']).optional(),
    timeRange: TimeRange.optional(),
    sortBy: z.enum(GROUP_SORTS).default('last'),
    sortOrder: sortOrder.default('desc'),
    ...pageFields({ limit: 50, max: 100 }),
  })
  .check(withinWindow);

interface GroupsInput {
  readonly status?: 'open' | 'closed' | undefined;
  readonly lastMs?: number | undefined;
  readonly paging: Paging;
  readonly sort: GroupSort;
  readonly order: 'asc' | 'desc';
}
interface Groups {
  /** Groups without an event since then are closed, whatever has come since. */
  readonly quietBefore: number;
  readonly found: Page<Group>;
  readonly roots: ReadonlyMap<string, Event>;
  readonly paging: Paging;
  /** Event time of the tenant's first new event, ms. */
  readonly first: number | null;
}

export const listGroups = endpoint<GroupsInput, Groups>({
  id: 'events.groups',
  summary: 'List correlation groups, each with its root-cause candidate',
  tag: 'Correlation',
  permission: 'events.read',
  limit: 'query',
  mounts: [
    mount({
      on: 'events',
      method: 'get',
      path: '/groups',
      query: GroupsQuery,
      reply: succeededPage({
        groups: z.array(
          GroupAnalysis.extend({ status: z.enum(['open', 'closed', 'merged']), rootCause: EventBody.nullable() }),
        ),
      }),
      read: ({ query }): GroupsInput => ({
        status: query.status,
        lastMs: query.timeRange && TIME_RANGES[query.timeRange],
        paging: query,
        sort: query.sortBy,
        order: query.sortOrder,
      }),
      present: ({ found, roots, paging, first, quietBefore }) => ({
        body: {
          groups: found.items.map((group) => {
            const root = group.candidate && roots.get(group.candidate.eventId);
            const rootCause = root ? eventView(root, { correlationId: group.id, inGroup: null }) : null;
            return { ...groupAnalysis(group, first), status: statusAt(group, quietBefore), rootCause };
          }),
        },
        page: pageInfo(paging, found),
      }),
    }),
  ],
  async handle({ status, lastMs, paging, sort, order }, { tenant, ports, receivedAt }) {
    const quietBefore = receivedAt - quietTimeMs(await correlationSettings(ports.records, tenant));
    const since = lastMs !== undefined && { from: receivedAt - lastMs };
    const filter = { ...(status && { status, quietBefore }), ...since };
    const found = await ports.correlation.groups(tenant, filter, pageRequest(paging, sort, order));
    const ids = found.items.flatMap(({ candidate }) => candidate?.eventId ?? []);
    const roots = new Map((await ports.events.getMany(tenant, ids)).map((event) => [event.id, event]));
    const first = found.items.length === 0 ? null : await firstArrival(ports, tenant);
    return { quietBefore, found, roots, paging, first };
  },
});
