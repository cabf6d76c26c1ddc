import { z } from 'zod';
import { onBoth } from '#api/surfaces/both.ts';
import { type AnyEndpoint, endpoint, mount } from '#api/surfaces/endpoint.ts';
import { audited } from '#application/access/audit.ts';
import { findCi } from '#application/cmdb/as-of.ts';
import { findRelationship } from '#application/cmdb/join-ends.ts';
import { refusalsOf } from '#application/cmdb/refusals.ts';
import { currentGroups, groupMemberships } from '#application/events/group-membership.ts';
import { requireMatch } from '#application/records/if-match.ts';
import { type Event, SEVERITIES, STATUSES } from '#domain/event/event.ts';
import { notFound } from '#domain/fault.ts';
import type { Page } from '#domain/page.ts';
import type { EventFilter } from '#domain/ports/events/event-store.ts';
import type { TypesInUse } from '#domain/ports/topology/topology-counts.ts';
import { allIds } from '#domain/topology/merge.ts';
import { isProposed, KNOWN_RELATIONSHIPS, type Relationship } from '#domain/topology/topology.ts';
import { ciTypeWarning, KNOWN_CI_TYPES, relationshipTypeWarning } from '#domain/topology/vocabulary.ts';
import { relationshipRecord } from '#schemas/http/cmdb/relationships.ts';
import { CiIds, CiStates, ciStates } from '#schemas/http/cmdb/states.ts';
import { TypesBody, typeBodies } from '#schemas/http/cmdb/types.ts';
import { commaList, Message } from '#schemas/http/common.ts';
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
import { bulkCis } from './bulk-cis.ts';
import { listCiHistory } from './ci-history.ts';
import { createCi } from './create-ci.ts';
import { createRelationship } from './create-relationship.ts';
import { deleteCi } from './delete-ci.ts';
import { debugFindCiByIp, findCiByIp } from './find-by-ip.ts';
import { getCi } from './get-ci.ts';
import { listCis } from './list-cis.ts';
import { listRelationships } from './list-relationships.ts';
import { getRelationship, updateRelationship } from './relationship-endpoints.ts';
import { updateCi } from './update-ci.ts';

const common = { from: Time.optional(), to: Time.optional(), ...pageFields({ limit: 50, max: 100 }) };
const V1Query = z
  .strictObject({ status: commaList(V1_STATUSES).optional(), severity: commaList(V1_SEVERITIES).optional(), ...common })
  .check(withinWindow);
const Query = z
  .strictObject({ status: commaList(STATUSES).optional(), severity: commaList(SEVERITIES).optional(), ...common })
  .check(withinWindow);

interface CiEventsRequest {
  readonly id: string;
  readonly filter: EventFilter;
  readonly paging: Paging;
  /** Reads no more of the groups than the surface shows. */
  readonly placesOf: typeof groupMemberships;
}
interface CiEventsPage {
  readonly found: Page<Event>;
  readonly paging: Paging;
  readonly places: ReadonlyMap<string, GroupMembership>;
}
const range = ({ from, to }: { from?: number | undefined; to?: number | undefined }): EventFilter => ({
  ...(from !== undefined && { from }),
  ...(to !== undefined && { to }),
});

const at = { method: 'get', path: '/cmdb/ci/{id}/events', params: z.object({ id: z.string() }) } as const;

const listCiEvents = endpoint<CiEventsRequest, CiEventsPage>({
  id: 'cmdb.list-ci-events',
  summary: 'List events of a configuration item',
  tag: 'CMDB',
  permission: 'events.read',
  limit: 'query',
  mounts: [
    mount({
      ...at,
      on: 'v1',
      query: V1Query,
      reply: v1List(V1Event),
      read: ({ params, query }): CiEventsRequest => ({
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
      read: ({ params, query }): CiEventsRequest => ({
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

const deleteRelationship = endpoint<string, void>({
  tag: 'CMDB',
  conditional: true,
  id: 'cmdb.delete-relationship',
  summary: 'Delete a relationship',
  permission: 'cmdb.write',
  mounts: onBoth.delete('/cmdb/relationships/{id}', Message, {
    params: z.object({ id: z.string() }),
    read: ({ params }) => params.id,
    present: () => ({ body: { message: 'Relationship deleted' } }),
  }),
  async handle(id, context) {
    const { tenant, ports, receivedAt, ifMatch, caller } = context;
    const { revision } = await findRelationship(context, id);
    requireMatch(ifMatch, revision);
    const target = { kind: 'relationship', id };
    const entry = (gone: Relationship) =>
      audited(context, { action: 'relationship.deleted', target, before: relationshipRecord(gone), after: null });
    const gone = await ports.relationships.remove(tenant, id, receivedAt, {
      sideRecords: (gone) => [
        entry(gone),
        ...(isProposed(gone) ? refusalsOf(tenant, gone, receivedAt, caller.id) : []),
      ],
      ...(ifMatch !== null && { revision }),
    });
    if (gone === null) throw notFound('Relationship', id);
  },
});

type CiStatesRequest = z.output<typeof CiIds>;
type States = z.output<typeof CiStates>;

const showCiStates = endpoint<CiStatesRequest, States>({
  id: 'cmdb.ci-states',
  summary: 'Get event status of configuration items',
  description:
    'Highest open severity and open event count for up to 1,000 CIs. CIs without open events and unknown IDs return none.',
  tag: 'CMDB',
  permission: 'events.read',
  limit: 'query',
  mounts: onBoth.post('/cmdb/ci/states', CiStates, {
    body: CiIds,
    read: ({ body }) => body,
    present: (states: States) => ({ body: states }),
  }),
  async handle({ ids }, { tenant, ports: { eventCounts } }) {
    const [all, acknowledged] = await Promise.all([
      eventCounts.openOn(tenant, ids),
      eventCounts.openOn(tenant, ids, ['acknowledged']),
    ]);
    return ciStates(ids, all, acknowledged);
  },
});

const listTypes = endpoint<undefined, TypesInUse>({
  id: 'cmdb.list-types',
  summary: 'List CI and relationship types',
  description: 'Any type is accepted. A warning flags likely typos.',
  tag: 'CMDB',
  permission: 'cmdb.read',
  mounts: onBoth.get('/cmdb/types', TypesBody, {
    read: () => undefined,
    present: ({ cis, relationships }: TypesInUse) => ({
      body: {
        ci_types: typeBodies(cis, KNOWN_CI_TYPES, ciTypeWarning),
        relationship_types: typeBodies(relationships, KNOWN_RELATIONSHIPS, relationshipTypeWarning),
      },
    }),
  }),
  handle: (_, { tenant, ports }) => ports.counts.types(tenant),
});

export const cmdbEndpoints: readonly AnyEndpoint[] = [
  createCi,
  listCis,
  getCi,
  updateCi,
  deleteCi,
  listCiHistory,
  listCiEvents,
  listTypes,
  bulkCis,
  showCiStates,
  createRelationship,
  listRelationships,
  getRelationship,
  updateRelationship,
  deleteRelationship,
];

export const addressEndpoints: readonly AnyEndpoint[] = [findCiByIp, debugFindCiByIp];
