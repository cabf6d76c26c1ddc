/** Which CIs lay around one within some time. */
import type { Area, AreaQuery } from '#domain/ports/topology/topology-history.ts';
import { GrowingArea } from '#domain/topology/graph/growing-area.ts';
import type { Run } from '#infra/neo4j/client/client.ts';

const NEIGHBOURS = `UNWIND $ids AS asked MATCH (:Ci {tenant: $tenant, id: asked})-[r:RELATES|RELATED]-(n:Ci)
  WHERE r.ai = false AND r.valid_from <= $to AND coalesce(r.valid_to, $from) >= $from
  RETURN DISTINCT n.id AS id ORDER BY id LIMIT $most`;

export async function findArea(read: Run, tenant: string, { ci, hops, from, to, limit }: AreaQuery): Promise<Area> {
  const area = new GrowingArea(ci, limit);
  for (let hop = 0; hop < hops && area.frontier.length > 0; hop++) {
    const rows = await read<{ id: string }>(NEIGHBOURS, { tenant, ids: area.frontier, from, to, most: area.most });
    area.take(rows.map(({ id }) => id));
  }
  return { ids: area.ids, truncated: area.truncated };
}
