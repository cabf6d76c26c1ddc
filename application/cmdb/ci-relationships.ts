import type { Ports } from '#domain/ports/ports.ts';
import type { Relationship } from '#domain/topology/topology.ts';
import { DETAIL_RELATIONSHIPS, type SeenRelationship } from '#schemas/http/cmdb/cmdb.ts';

/** A relationship as the CI of that id sees it; `names`: of the CIs by id. */
export const seenFrom = (
  id: string,
  relationship: Relationship,
  names: ReadonlyMap<string, string>,
): SeenRelationship => {
  const direction = relationship.source === id ? 'outgoing' : 'incoming';
  const other = direction === 'outgoing' ? relationship.target : relationship.source;
  return { relationship, other: { id: other, name: names.get(other) ?? '' }, direction };
};

/** Relationships of a CI in both directions, oldest first, at most 100. */
export const relationshipsOf = async (
  { topology }: Pick<Ports, 'topology'>,
  tenant: string,
  id: string,
): Promise<SeenRelationship[]> => {
  const page = { sort: 'created_at', order: 'asc', limit: DETAIL_RELATIONSHIPS } as const;
  const { items } = await topology.findRelationships(tenant, { ci: id, includeAi: false }, page);
  const ids = [...new Set(items.flatMap(({ source, target }) => [source, target]))];
  const names = new Map((await topology.getCis(tenant, ids)).map((ci) => [ci.id, ci.name]));
  return items.map((one) => seenFrom(id, one, names));
};
