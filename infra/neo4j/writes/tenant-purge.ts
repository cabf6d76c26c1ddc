/** Deletes the topology of a tenant with its past. */
import { firstItem } from '#domain/assert.ts';
import type { Neo4jClient } from '#infra/neo4j/client/client.ts';

/** Nodes or edges per transaction, so that it does not block other work. */
const CHUNK = 1_000;

/** Each asks an index that begins with the tenant. Edges go first: a node can have more of them than one transaction should delete. */
const STATEMENTS = [
  'MATCH ()-[one:RELATES]->() WHERE one.tenant = $tenant AND one.id IS NOT NULL',
  'MATCH ()-[one:RELATED]->() WHERE one.tenant = $tenant AND one.id IS NOT NULL',
  'MATCH (one:CiPast) WHERE one.tenant = $tenant AND one.id IS NOT NULL',
  'MATCH (one:Known) WHERE one.tenant = $tenant AND one.key IS NOT NULL AND one.ci IS NOT NULL',
  'MATCH (one:Owed) WHERE one.tenant = $tenant AND one.id IS NOT NULL',
  'MATCH (one:Ci) WHERE one.tenant = $tenant AND one.id IS NOT NULL',
  'MATCH (one:Tenant {tenant: $tenant})',
].map((found) => `${found} WITH one LIMIT ${CHUNK} DELETE one RETURN count(*) AS deleted`);

/** False when it let go because of `isStopping`. */
export async function purgeTenant({ write }: Neo4jClient, tenant: string, isStopping: () => boolean): Promise<boolean> {
  for (const statement of STATEMENTS)
    for (let deleted = CHUNK; deleted === CHUNK; ) {
      if (isStopping()) return false;
      deleted = firstItem(await write((run) => run<{ deleted: number }>(statement, { tenant }))).deleted;
    }
  return true;
}
