import { z } from 'zod';
import { endpoint, on } from '#api/surfaces/endpoint.ts';
import { resolveFilter } from '#application/events/finding/resolve-filter.ts';
import { currentGroups, groupMemberships } from '#application/events/group-membership.ts';
import type { Event } from '#domain/event/event.ts';
import type { Page } from '#domain/page.ts';
import { EVENT_SORTS, type EventSort } from '#domain/ports/events/event-store.ts';
import { commaList, commaWords, sortOrder } from '#schemas/http/common.ts';
import { succeededPage, v1List } from '#schemas/http/envelope.ts';
import { type AskedFilter, askedFilter, eventFilterFields, withinTime } from '#schemas/http/events/event-filter.ts';
import { eventRow, eventView, type GroupMembership, ListedEvent } from '#schemas/http/events/event-view.ts';
import {
  severitiesOfV1,
  statusesOfV1,
  V1_SEVERITIES,
  V1_STATUSES,
  V1Event,
  v1Event,
} from '#schemas/http/events/v1-event-view.ts';
import { type Paging, pageFields, pageInfo, pageRequest, withinWindow } from '#schemas/http/paging.ts';
import { Time } from '#schemas/http/time.ts';
import { storedSources } from '#sources/sources.ts';

const DEFAULT_LIMIT = 50;
const MAX_EVENTS = 100;
const MAX_ROWS = 500;

const ListQuery = z
  .strictObject({
    ...eventFilterFields,
    view: z
      .enum(['full', 'row'])
      .default('full')
      .meta({ description: `row: without description, details, tags and analysis, and with a limit of ${MAX_ROWS}` }),
    sortBy: z.enum(EVENT_SORTS).default('timestamp'),
    sortOrder: sortOrder.default('desc'),
    ...pageFields({ limit: DEFAULT_LIMIT, max: MAX_ROWS }),
  })
  .check(withinWindow)
  .check(withinTime)
  .refine(({ view, limit }) => view === 'row' || !(limit > MAX_EVENTS), {
    path: ['limit'],
    message: `expected a whole number from 1 to ${MAX_EVENTS}; with view=row to ${MAX_ROWS}`,
  });

const V1ListQuery = z
  .strictObject({
    status: commaList(V1_STATUSES).optional(),
    severity: commaList(V1_SEVERITIES).optional(),
    source: commaWords().optional(),
    ci_id: z.string().min(1).max(4_096).optional(),
    from: Time.optional(),
    to: Time.optional(),
    search: z.string().min(1).max(256).optional(),
    ...pageFields({ limit: DEFAULT_LIMIT, max: MAX_EVENTS }),
  })
  .check(withinWindow);

interface ListInput {
  readonly asked: AskedFilter;
  readonly paging: Paging;
  readonly sort: EventSort;
  readonly order: 'asc' | 'desc';
  /** Reads no more of the groups than the surface shows. */
  readonly placesOf: typeof groupMemberships;
  readonly show: typeof eventView | typeof eventRow;
}
interface EventListPage extends Pick<ListInput, 'paging' | 'show'> {
  readonly found: Page<Event>;
  readonly places: ReadonlyMap<string, GroupMembership>;
}

const given = <K extends string, V>(key: K, value: V | undefined) =>
  (value === undefined ? {} : { [key]: value }) as { readonly [P in K]?: V };

export const listEvents = endpoint<ListInput, EventListPage>({
  id: 'events.list',
  summary: 'List events',
  tag: 'Events',
  permission: 'events.read',
  limit: 'query',
  mounts: [
    on.events.get('', {
      query: ListQuery,
      reply: succeededPage({ events: z.array(ListedEvent) }),
      read: ({ query }): ListInput => ({
        asked: askedFilter(query),
        paging: query,
        sort: query.sortBy,
        order: query.sortOrder,
        ...(query.view === 'row'
          ? { placesOf: currentGroups, show: eventRow }
          : { placesOf: groupMemberships, show: eventView }),
      }),
      present: ({ found, paging, places, show }) => ({
        body: { events: found.items.map((event) => show(event, places.get(event.id) ?? null)) },
        page: pageInfo(paging, found),
      }),
    }),
    on.v1.get('/events', {
      query: V1ListQuery,
      reply: v1List(V1Event),
      read: ({ query }): ListInput => ({
        asked: {
          filter: {
            ...given('statuses', query.status && statusesOfV1(query.status)),
            ...given('severities', query.severity && severitiesOfV1(query.severity)),
            ...given('sources', query.source && storedSources(query.source)),
            ...given('ciId', query.ci_id),
            ...given('search', query.search),
            ...given('from', query.from),
            ...given('to', query.to),
          },
        },
        paging: query,
        sort: 'timestamp',
        order: 'desc',
        placesOf: currentGroups,
        show: eventView,
      }),
      present: ({ found, paging, places }) => ({
        body: found.items.map((event) => v1Event(event, places.get(event.id) ?? null)),
        page: pageInfo(paging, found),
      }),
    }),
  ],
  async handle({ asked, paging, sort, order, placesOf: placed, show }, context) {
    const { tenant, ports } = context;
    const filter = await resolveFilter(context, asked);
    const found = await ports.events.find(tenant, filter, pageRequest(paging, sort, order));
    return { found, paging, show, places: await placed(ports, tenant, found.items) };
  },
});
