import type { Context, Presented } from '#api/surfaces/endpoint.ts';
import { relationshipsOf, seenFrom } from '#application/cmdb/ci-relationships.ts';
import { entityTag } from '#application/records/if-match.ts';
import type { Ci } from '#domain/topology/topology.ts';
import { ciDetail, DETAIL_RELATIONSHIPS, type SeenRelationship, v1CiDetail } from '#schemas/http/cmdb/cmdb.ts';

/** A CI with its relationships in both directions, at most 100. */
export interface CiDetails {
  readonly ci: Ci;
  readonly seen: readonly SeenRelationship[];
  /** Time of the last scan or import. */
  readonly lastSeen: number | undefined;
}

const relationshipsThen = async ({ tenant, ports }: Context, id: string, asOf: number): Promise<SeenRelationship[]> => {
  const options = { hops: 1, direction: 'both', limit: DETAIL_RELATIONSHIPS, asOf } as const;
  const { nodes, edges } = await ports.graph.neighbourhood(tenant, id, options);
  const names = new Map(nodes.map(({ ci, name }) => [ci, name]));
  return edges
    .filter(({ source, target }) => source === id || target === id)
    .sort((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1))
    .slice(0, DETAIL_RELATIONSHIPS)
    .map((one) => seenFrom(id, one, names));
};

export const detailOf = async (context: Context, ci: Ci, asOf?: number): Promise<CiDetails> => ({
  ci,
  seen: await (asOf === undefined
    ? relationshipsOf(context.ports, context.tenant, ci.id)
    : relationshipsThen(context, ci.id, asOf)),
  lastSeen: (await context.ports.topology.lastSeen(context.tenant, [ci.id])).get(ci.id),
});

const headers = ({ ci }: CiDetails) => ({ ETag: entityTag(ci.revision) });

export const presentV1Detail = (detail: CiDetails): Presented => ({
  body: v1CiDetail(detail.ci, detail.seen, detail.lastSeen),
  headers: headers(detail),
});
export const presentDetail = (detail: CiDetails): Presented => ({
  body: ciDetail(detail.ci, detail.seen, detail.lastSeen),
  headers: headers(detail),
});
