import { z } from 'zod';
import { onBothList } from '#api/surfaces/both.ts';
import { type Context, endpoint } from '#api/surfaces/endpoint.ts';
import { joinEnds } from '#application/cmdb/join-ends.ts';
import type { Page } from '#domain/page.ts';
import type { RelationshipFilter } from '#domain/ports/topology/topology-queries.ts';
import { type Relationship, relationshipType } from '#domain/topology/topology.ts';
import { type Joined, RelationshipBody, relationshipBody } from '#schemas/http/cmdb/relationships.ts';
import { flag } from '#schemas/http/common.ts';
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
interface RelationshipsPage {
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
const presentList = ({ found, joined, paging }: RelationshipsPage) => ({
  body: joined.map(relationshipBody),
  page: pageInfo(paging, found),
});

const ENDS = ['source', 'target', 'ci'] as const;

/** Former ids of CIs lead to the CIs that they were merged into. */
async function withCurrentIds(
  filter: RelationshipFilter,
  { tenant, ports }: Pick<Context, 'tenant' | 'ports'>,
): Promise<RelationshipFilter> {
  const current = async (end: (typeof ENDS)[number]) => {
    const asked = filter[end];
    if (asked === undefined) return {};
    return { [end]: (await ports.topology.getCis(tenant, [asked]))[0]?.id ?? asked };
  };
  return Object.assign({}, filter, ...(await Promise.all(ENDS.map(current)))) as RelationshipFilter;
}

export const listRelationships = endpoint<ListInput, RelationshipsPage>({
  id: 'cmdb.list-relationships',
  summary: 'List relationships',
  tag: 'CMDB',
  permission: 'cmdb.read',
  mounts: onBothList.get('/cmdb/relationships', RelationshipBody, {
    query: Query,
    read: readList,
    present: presentList,
  }),
  async handle({ filter: asked, paging }, { tenant, ports }) {
    const filter = await withCurrentIds(asked, { tenant, ports });
    const found = await ports.topology.findRelationships(tenant, filter, pageRequest(paging, 'created_at', 'asc'));
    return { found, joined: await joinEnds(ports, tenant, found.items), paging };
  },
});
