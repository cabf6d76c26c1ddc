import { z } from 'zod';
import { endpoint, mount } from '#api/surfaces/endpoint.ts';
import { currentGroups, groupMemberships } from '#application/events/group-membership.ts';
import { type Event, SEVERITIES, type Severity, STATUSES, type Status } from '#domain/event/event.ts';
import type { Page } from '#domain/page.ts';
import { EVENT_SORTS, type EventFilter, type EventSort } from '#domain/ports/events/event-store.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { allIds } from '#domain/topology/merge.ts';
import { commaList, commaWords, sortOrder } from '#schemas/http/common.ts';
import { succeededPage, v1List } from '#schemas/http/envelope.ts';
import { EventBody, eventView, type GroupMembership } from '#schemas/http/events/event-view.ts';
import {
  severitiesOfV1,
  statusesOfV1,
  V1_SEVERITIES,
  V1_STATUSES,
  V1Event,
  v1Event,
} from '#schemas/http/events/v1-event-view.ts';
import { type Paging, pageFields, pageInfo, pageRequest, withinWindow } from '#schemas/http/paging.ts';
import { TIME_RANGES, Time, TimeRange } from '#schemas/http/time.ts';
import { storedSources } from '#schemas/sources/sources.ts';

const numbers = { limit: 50, max: 100 };

const ListQuery = z
  .strictObject({
    status: commaList([...STATUSES, 'all']).optional(),
    severity: commaList(SEVERITIES).optional(),
    source: commaWords().optional(),
    timeRange: TimeRange.optional(),
    ciId: z.string().min(1).max(4_096).optional(),
    correlationId: z.string().min(1).max(256).optional(),
    search: z.string().min(1).max(256).optional(),
    sortBy: z.enum(EVENT_SORTS).default('timestamp'),
    sortOrder: sortOrder.default('desc'),
    ...pageFields(numbers),
  })
  .check(withinWindow);

const V1ListQuery = z
  .strictObject({
    status: commaList(V1_STATUSES).optional(),
    severity: commaList(V1_SEVERITIES).optional(),
    source: commaWords().optional(),
    ci_id: z.string().min(1).max(4_096).optional(),
    from: Time.optional(),
    to: Time.optional(),
    search: z.string().min(1).max(256).optional(),
    ...pageFields(numbers),
  })
  .check(withinWindow);

interface ListInput {
  readonly filter: Omit<EventFilter, 'from'> & { readonly from?: number };
  /** Length of the range that ends now, ms. */
  readonly lastMs?: number;
  readonly correlationId?: string;
  readonly paging: Paging;
  readonly sort: EventSort;
  readonly order: 'asc' | 'desc';
  /** Reads no more of the groups than the surface shows. */
  readonly placesOf: typeof groupMemberships;
}
interface Listed {
  readonly found: Page<Event>;
  readonly paging: Paging;
  readonly places: ReadonlyMap<string, GroupMembership>;
}

/** A group's id and its aliases: any of them may stand in an event. */
const idsOfGroup = async (ports: Pick<Ports, 'correlation'>, tenant: string, id: string): Promise<string[]> => {
  const group = await ports.correlation.group(tenant, id);
  return group === null ? [id] : [group.id, ...group.aliases];
};

/** Events that ended before a merge name the CI that went. A name that is no id finds nothing. */
const idsOfCi = async (
  { topology }: Pick<Ports, 'topology'>,
  tenant: string,
  asked: EventFilter['ciId'],
): Promise<EventFilter['ciId']> => {
  if (typeof asked !== 'string') return asked;
  const [ci] = await topology.getCis(tenant, [asked]);
  return ci === undefined || ci.formerly === undefined ? asked : allIds(ci);
};

const given = <K extends string, V>(key: K, value: V | undefined) =>
  (value === undefined ? {} : { [key]: value }) as { readonly [P in K]?: V };

export const listEvents = endpoint<ListInput, Listed>({
  id: 'events.list',
  summary: 'List events',
  tag: 'Events',
  permission: 'events.read',
  limit: 'query',
  mounts: [
    mount({
      on: 'events',
      method: 'get',
      path: '',
      query: ListQuery,
      reply: succeededPage({ events: z.array(EventBody) }),
      read: ({ query }): ListInput => ({
        filter: {
          ...given('statuses', statusesOf(query.status)),
          ...given('severities', query.severity as Severity[] | undefined),
          ...given('sources', query.source && storedSources(query.source)),
          ...given('ciId', query.ciId),
          ...given('search', query.search),
        },
        ...given('lastMs', query.timeRange && TIME_RANGES[query.timeRange]),
        ...given('correlationId', query.correlationId),
        paging: query,
        sort: query.sortBy,
        order: query.sortOrder,
        placesOf: groupMemberships,
      }),
      present: ({ found, paging, places }) => ({
        body: { events: found.items.map((event) => eventView(event, places.get(event.id) ?? null)) },
        page: pageInfo(paging, found),
      }),
    }),
    mount({
      on: 'v1',
      method: 'get',
      path: '/events',
      query: V1ListQuery,
      reply: v1List(V1Event),
      read: ({ query }): ListInput => ({
        filter: {
          ...given('statuses', query.status && statusesOfV1(query.status)),
          ...given('severities', query.severity && severitiesOfV1(query.severity)),
          ...given('sources', query.source && storedSources(query.source)),
          ...given('ciId', query.ci_id),
          ...given('search', query.search),
          ...given('from', query.from),
          ...given('to', query.to),
        },
        paging: query,
        sort: 'timestamp',
        order: 'desc',
        placesOf: currentGroups,
      }),
      present: ({ found, paging, places }) => ({
        body: found.items.map((event) => v1Event(event, places.get(event.id) ?? null)),
        page: pageInfo(paging, found),
      }),
    }),
  ],
  async handle(
    { filter, lastMs, correlationId, paging, sort, order, placesOf: placed },
    { tenant, ports, receivedAt },
  ) {
    const ciId = await idsOfCi(ports, tenant, filter.ciId);
    const correlationIds = correlationId === undefined ? undefined : await idsOfGroup(ports, tenant, correlationId);
    const found = await ports.events.find(
      tenant,
      {
        ...filter,
        ...given('ciId', ciId),
        ...given('correlationIds', correlationIds),
        ...(lastMs !== undefined && { from: receivedAt - lastMs }),
      },
      pageRequest(paging, sort, order),
    );
    return { found, paging, places: await placed(ports, tenant, found.items) };
  },
});

const statusesOf = (words: readonly string[] | undefined): Status[] | undefined =>
  words === undefined || words.includes('all') ? undefined : (words as Status[]);
