import { type MaintainedCi, MOST_MAINTAINED } from '#domain/ports/topology/topology-queries.ts';
import type { CiMaintenance } from '#domain/topology/maintenance.ts';
import type { Run } from '#infra/neo4j/client/client.ts';

const MAINTAINED = `MATCH (c:Ci) WHERE c.tenant = $tenant AND c.maintained IS NOT NULL
  RETURN c.id AS id, c.maintained AS maintained LIMIT ${MOST_MAINTAINED}`;

export async function inMaintenance(read: Run, tenant: string): Promise<MaintainedCi[]> {
  const rows = await read<{ id: string; maintained: string }>(MAINTAINED, { tenant });
  return rows.map(({ id, maintained }) => ({ ciId: id, maintenance: JSON.parse(maintained) as CiMaintenance }));
}
