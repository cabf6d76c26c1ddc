import type { Context, Presented } from '#api/surfaces/endpoint.ts';
import { relationshipsOf, seenFrom } from '#application/cmdb/ci-relationships.ts';
import { entityTag } from '#application/records/if-match.ts';
import type { Ci } from '#domain/topology/topology.ts';
import { ciDetail, DETAIL_RELATIONSHIPS, type Seen, v1CiDetail } from '#schemas/http/cmdb/cmdb.ts';

/** A CI with its relationships in both directions, at most 100. */
export interface Detail {
  readonly ci: Ci;
  readonly seen: readonly Seen[];
  /** By a scan or an import. */
  readonly lastSeen: number | undefined;
}

const seenFrom = (id: string, relationship: Relationship, names: ReadonlyMap<string, string>): Seen => {
  const direction = relationship.source === id ? 'outgoing' : 'incoming';
  const other = direction === 'outgoing' ? relationship.target : relationship.source;
  return { relationship, other: { id: other, name: names.get(other) ?? '' }, direction };
};

const relationshipsNow = async ({ tenant, ports: { topology } }: Context, id: string): Promise<Seen[]> => {
  const page = { sort: 'created_at', order: 'asc', limit: DETAIL_RELATIONSHIPS } as const;
  const { items } = await topology.findRelationships(tenant, { ci: id, includeAi: false }, page);
  const ids = [...new Set(items.flatMap(({ source, target }) => [source, target]))];
  const names = new Map((await topology.getCis(tenant, ids)).map((ci) => [ci.id, ci.name]));
  return items.map((one) => seenFrom(id, one, names));
};

const relationshipsThen = async ({ tenant, ports }: Context, id: string, asOf: number): Promise<Seen[]> => {
  const options = { hops: 1, direction: 'both', limit: DETAIL_RELATIONSHIPS, asOf } as const;
  const { nodes, edges } = await ports.graph.neighbourhood(tenant, id, options);
  const names = new Map(nodes.map(({ ci, name }) => [ci, name]));
  return edges
    .filter(({ source, target }) => source === id || target === id)
    .sort((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1))
    .slice(0, DETAIL_RELATIONSHIPS)
    .map((one) => seenFrom(id, one, names));
};

export const detailOf = async (context: Context, ci: Ci, asOf?: number): Promise<Detail> => ({
  ci,
  seen: await (asOf === undefined
    ? relationshipsOf(context.ports, context.tenant, ci.id)
    : relationshipsThen(context, ci.id, asOf)),
  lastSeen: (await context.ports.topology.lastSeen(context.tenant, [ci.id])).get(ci.id),
});

const headers = ({ ci }: Detail) => ({ ETag: entityTag(ci.revision) });

export const presentV1Detail = (detail: Detail): Presented => ({
  body: v1CiDetail(detail.ci, detail.seen, detail.lastSeen),
  headers: headers(detail),
});
export const presentDetail = (detail: Detail): Presented => ({
  body: ciDetail(detail.ci, detail.seen, detail.lastSeen),
  headers: headers(detail),
});
