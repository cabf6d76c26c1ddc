import { z } from 'zod';
import { endpoint, mount } from '#api/surfaces/endpoint.ts';
import { findCi } from '#application/cmdb/as-of.ts';
import { currentGroups, groupMemberships } from '#application/events/group-membership.ts';
import { type Event, SEVERITIES, STATUSES } from '#domain/event/event.ts';
import type { Page } from '#domain/page.ts';
import type { EventFilter } from '#domain/ports/events/event-store.ts';
import { allIds } from '#domain/topology/merge.ts';
import { commaList } from '#schemas/http/common.ts';
import { v1List, wrappedList } from '#schemas/http/envelope.ts';
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
import { Time } from '#schemas/http/time.ts';

const common = { from: Time.optional(), to: Time.optional(), ...pageFields({ limit: 50, max: 100 }) };
const V1Query = z
  .strictObject({
    status: commaList(V1_STATUSES).optional(),
    severity: commaList(V1_SEVERITIES).optional(),
    ...common,
  })
  .check(withinWindow);
const Query = z
  .strictObject({ status: commaList(STATUSES).optional(), severity: commaList(SEVERITIES).optional(), ...common })
  .check(withinWindow);

interface Input {
  readonly id: string;
  readonly filter: EventFilter;
  readonly paging: Paging;
  /** Reads no more of the groups than the surface shows. */
  readonly placesOf: typeof groupMemberships;
}
interface Listed {
  readonly found: Page<Event>;
  readonly paging: Paging;
  readonly places: ReadonlyMap<string, GroupMembership>;
}
const range = ({ from, to }: { from?: number | undefined; to?: number | undefined }): EventFilter => ({
  ...(from !== undefined && { from }),
  ...(to !== undefined && { to }),
});

const at = { method: 'get', path: '/cmdb/ci/{id}/events', params: z.object({ id: z.string() }) } as const;

export const listCiEvents = endpoint<Input, Listed>({
  id: 'cmdb.list-ci-events',
  summary: 'List the events of a configuration item, the newest first',
  tag: 'CMDB',
  permission: 'events.read',
  limit: 'query',
  mounts: [
    mount({
      ...at,
      on: 'v1',
      query: V1Query,
      reply: v1List(V1Event),
      read: ({ params, query }): Input => ({
        id: params.id,
        filter: {
          ...(query.status && { statuses: statusesOfV1(query.status) }),
          ...(query.severity && { severities: severitiesOfV1(query.severity) }),
          ...range(query),
        },
        paging: query,
        placesOf: currentGroups,
      }),
      present: ({ found, paging, places }) => ({
        body: found.items.map((event) => v1Event(event, places.get(event.id) ?? null)),
        page: pageInfo(paging, found),
      }),
    }),
    mount({
      ...at,
      on: 'platform',
      query: Query,
      reply: wrappedList(EventBody),
      read: ({ params, query }): Input => ({
        id: params.id,
        filter: {
          ...(query.status && { statuses: query.status }),
          ...(query.severity && { severities: query.severity }),
          ...range(query),
        },
        paging: query,
        placesOf: groupMemberships,
      }),
      present: ({ found, paging, places }) => ({
        body: found.items.map((event) => eventView(event, places.get(event.id) ?? null)),
        page: pageInfo(paging, found),
      }),
    }),
  ],
  async handle({ id, filter, paging, placesOf: placed }, context) {
    const { tenant, ports } = context;
    const ci = await findCi(context, id);
    const page = pageRequest(paging, 'timestamp', 'desc');
    const found = await ports.events.find(tenant, { ...filter, ciId: allIds(ci) }, page);
    return { found, paging, places: await placed(ports, tenant, found.items) };
  },
});
