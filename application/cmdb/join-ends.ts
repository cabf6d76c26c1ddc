import type { TenantContext } from '#application/access/context.ts';
import { firstItem } from '#domain/assert.ts';
import { notFound } from '#domain/fault.ts';
import type { Ports } from '#domain/ports/ports.ts';
import type { Relationship } from '#domain/topology/topology.ts';
import type { Joined } from '#schemas/http/cmdb/relationships.ts';

/** Puts names and types of both ends beside each relationship. */
export const joinEnds = async (
  ports: Pick<Ports, 'topology'>,
  tenant: string,
  items: readonly Relationship[],
  asOf?: number,
): Promise<Joined[]> => {
  const ids = [...new Set(items.flatMap(({ source, target }) => [source, target]))];
  const cis = new Map((await ports.topology.getCis(tenant, ids, asOf)).map((ci) => [ci.id, ci]));
  const end = (id: string) => ({ id, name: cis.get(id)?.name ?? '', type: cis.get(id)?.type ?? '' });
  return items.map((relationship) => ({
    relationship,
    source: end(relationship.source),
    target: end(relationship.target),
  }));
};

export const joinOne = async (
  { tenant, ports }: TenantContext,
  relationship: Relationship,
  asOf?: number,
): Promise<Joined> => firstItem(await joinEnds(ports, tenant, [relationship], asOf));

/** The relationship now, or as it was; throws Fault `not-found`. */
export const findRelationship = async (
  { tenant, ports }: TenantContext,
  id: string,
  asOf?: number,
): Promise<Relationship> => {
  const found = await ports.topology.getRelationship(tenant, id, asOf);
  if (found === null) throw notFound('Relationship', id);
  return found;
};
