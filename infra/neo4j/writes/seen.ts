/** Last sightings of CIs: beside their versions, so that a sighting is no change. */
import type { Sighting } from '#domain/ports/topology/ci-store.ts';
import type { Neo4jClient, Run } from '#infra/neo4j/client/client.ts';
import { inBatches } from '#infra/neo4j/client/write.ts';

const SEE = `UNWIND $rows AS row MATCH (c:Ci {tenant: $tenant, id: row.ci})
  WHERE c.ended IS NULL AND coalesce(c.seen_at, -1) < row.at SET c.seen_at = row.at`;
const SEEN = `UNWIND $ids AS id MATCH (c:Ci {tenant: $tenant, id: id})
  WHERE c.ended IS NULL AND c.seen_at IS NOT NULL RETURN id, c.seen_at AS at`;

const byCi = (one: Sighting, other: Sighting): number => (one.ci < other.ci ? -1 : 1);

/** Writes in the order of ids, so that two writers wait for each other and not in a circle. */
export const writeSightings = async (
  client: Neo4jClient,
  tenant: string,
  sightings: readonly Sighting[],
): Promise<void> => inBatches([...sightings].sort(byCi), (rows) => client.write((run) => run(SEE, { tenant, rows })));

export async function readSightings(
  read: Run,
  tenant: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (ids.length === 0) return new Map();
  const rows = await read<{ id: string; at: number }>(SEEN, { tenant, ids });
  return new Map(rows.map(({ id, at }) => [id, at]));
}
