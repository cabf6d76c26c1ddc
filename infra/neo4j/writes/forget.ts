/** Deletes versions that ended too long ago; current ones stay, at any age. */
import { firstItem } from '#domain/assert.ts';
import type { Neo4jClient } from '#infra/neo4j/client/client.ts';

/** Versions per transaction, so that it does not block other work. */
const CHUNK = 1_000;
/** Transactions per call and kind: a stop waits for the call, and the next one continues. */
const TURNS = 200;

const RELATIONSHIPS = `MATCH ()-[p:RELATED]->() WHERE p.valid_to < $before WITH p LIMIT ${CHUNK}
  DELETE p RETURN count(p) AS forgotten`;
/** The node of a removed CI is deleted with its versions: no past of a relationship depends on it any more. */
const CIS = `MATCH (p:CiPast) WHERE p.valid_to < $before WITH p LIMIT ${CHUNK}
  OPTIONAL MATCH (c:Ci {tenant: p.tenant, id: p.id}) WHERE c.ended < $before AND NOT (c)--()
  DELETE p, c RETURN count(DISTINCT p) AS forgotten`;

/** Deletes versions that ended before this time (ms), at most 200,000 of CIs and of relationships; returns how many. */
export async function forgetVersions({ write }: Neo4jClient, before: number): Promise<number> {
  let forgotten = 0;
  for (const statement of [RELATIONSHIPS, CIS])
    for (let turn = 0; turn < TURNS; turn++) {
      const row = firstItem(await write((run) => run<{ forgotten: number }>(statement, { before })));
      forgotten += row.forgotten;
      if (row.forgotten < CHUNK) break;
    }
  return forgotten;
}
