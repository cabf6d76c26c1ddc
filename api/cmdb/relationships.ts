import { z } from 'zod';
import { endpoint, mount } from '#api/endpoint.ts';
import { Fault, invalid } from '#domain/fault.ts';
import type { Page } from '#domain/ports/event-store.ts';
import type { Ports } from '#domain/ports/ports.ts';
import type { RelationshipFilter } from '#domain/ports/topology-store.ts';
import { type Relationship, relationshipType } from '#domain/topology/topology.ts';
import {
  CreateRelationship,
  type CreateRelationshipInput,
  type Joined,
  RelationshipBody,
  relationshipBody,
} from '#schemas/http/cmdb.ts';
import { flag } from '#schemas/http/common.ts';
import { v1List, wrapped, wrappedList } from '#schemas/http/envelope.ts';
import { type Paging, pageFields, pageInfo, pageRequest, withinWindow } from '#schemas/http/paging.ts';

const id = z.string().max(256);
const Query = z
  .strictObject({
    source_ci: id.optional(),
    target_ci: id.optional(),
    ci: id.optional(),
    type: id.optional(),
    include_ai: flag().optional(),
    ...pageFields({ limit: 20, max: 100 }),
  })
  .check(withinWindow);

interface ListInput {
  readonly filter: RelationshipFilter;
  readonly paging: Paging;
}
interface Listed {
  readonly found: Page<Relationship>;
  readonly joined: readonly Joined[];
  readonly paging: Paging;
}

const readList = ({ query }: { query: z.output<typeof Query> }): ListInput => ({
  filter: {
    includeAi: query.include_ai ?? false,
    ...(query.source_ci !== undefined && { source: query.source_ci }),
    ...(query.target_ci !== undefined && { target: query.target_ci }),
    ...(query.ci !== undefined && { ci: query.ci }),
    ...(query.type !== undefined && { type: relationshipType(query.type) }),
  },
  paging: query,
});
const presentList = ({ found, joined, paging }: Listed) => ({
  body: joined.map(relationshipBody),
  page: pageInfo(paging, found),
});
const listed = {
  method: 'get',
  path: '/cmdb/relationships',
  query: Query,
  read: readList,
  present: presentList,
} as const;

/** Puts names and types of both ends beside each relationship. */
export const joinEnds = async (ports: Ports, tenant: string, items: readonly Relationship[]): Promise<Joined[]> => {
  const ids = [...new Set(items.flatMap(({ source, target }) => [source, target]))];
  const cis = new Map((await ports.topology.getCis(tenant, ids)).map((ci) => [ci.id, ci]));
  const end = (id: string) => ({ id, name: cis.get(id)?.name ?? '', type: cis.get(id)?.type ?? '' });
  return items.map((relationship) => ({
    relationship,
    source: end(relationship.source),
    target: end(relationship.target),
  }));
};

export const listRelationships = endpoint<ListInput, Listed>({
  id: 'cmdb.list-relationships',
  summary: 'List relationships',
  tag: 'CMDB',
  permission: 'cmdb.read',
  limit: 'standard',
  mounts: [
    mount({ on: 'v1', ...listed, reply: v1List(RelationshipBody) }),
    mount({ on: 'platform', ...listed, reply: wrappedList(RelationshipBody) }),
  ],
  async handle({ filter, paging }, { tenant, ports }) {
    const found = await ports.topology.findRelationships(tenant, filter, pageRequest(paging, 'created_at', 'asc'));
    return { found, joined: await joinEnds(ports, tenant, found.items), paging };
  },
});

const created = {
  method: 'post',
  path: '/cmdb/relationships',
  status: 201,
  body: CreateRelationship,
  read: ({ body }: { body: CreateRelationshipInput }) => body,
} as const;
const Created = RelationshipBody.extend({ message: z.string() });
const presentCreated = (joined: Joined) => ({
  status: 201,
  body: { ...relationshipBody(joined), message: 'Relationship created' },
});

export const createRelationship = endpoint<CreateRelationshipInput, Joined>({
  id: 'cmdb.create-relationship',
  summary: 'Create a relationship: source depends on, runs on, uses … target',
  tag: 'CMDB',
  permission: 'cmdb.write',
  limit: 'standard',
  mounts: [
    mount({
      on: 'v1',
      ...created,
      reply: Created,
      present: (joined: Joined) => ({
        ...presentCreated(joined),
        headers: { Location: `/v1/cmdb/relationships/${joined.relationship.id}` },
      }),
    }),
    mount({ on: 'platform', ...created, reply: wrapped(Created), present: presentCreated }),
  ],
  async handle(input, { tenant, ports, receivedAt }) {
    const { source_ci: source, target_ci: target } = input;
    if (source === target) throw invalid('target_ci', 'expected a CI other than source_ci');
    await requireCis(ports, tenant, { source_ci: source, target_ci: target });
    const relationship: Relationship = {
      tenant,
      id: ports.ids.ulid(),
      type: relationshipType(input.type),
      source,
      target,
      attributes: input.attributes,
      discoveredBy: input.discovered_by,
      confidence: input.confidence,
      createdAt: receivedAt,
      updatedAt: receivedAt,
      revision: 1,
    };
    await ports.topology.putRelationships(tenant, [relationship]);
    const [joined] = await joinEnds(ports, tenant, [relationship]);
    return joined as Joined;
  },
});

/** An unknown id inside a body is the caller's mistake, not a missing page. */
const requireCis = async (ports: Ports, tenant: string, named: Readonly<Record<string, string>>): Promise<void> => {
  const known = new Set((await ports.topology.getCis(tenant, Object.values(named))).map((ci) => ci.id));
  const problems = Object.entries(named)
    .filter(([, id]) => !known.has(id))
    .map(([field, id]) => ({ field, reason: `no configuration item has the id ${id}` }));
  const [first] = problems;
  if (first) throw new Fault('invalid', `${first.field}: ${first.reason}`, problems);
};
