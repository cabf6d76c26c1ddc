/** Constraints and indexes, made at the start; making them again changes nothing. */
import type { Neo4jClient } from './client.ts';

/**
 * A removed `Ci` retains its node with its id, for its past. `Owed`: records on their way to their own store. `CiPast`,
 * `RELATED`: earlier versions. `Known`: names and addresses. Types of relationships are properties, since a database
 * has 65,535 types.
 */
const SCHEMA = [
  'CREATE CONSTRAINT tenant_id IF NOT EXISTS FOR (t:Tenant) REQUIRE t.tenant IS UNIQUE',
  'CREATE CONSTRAINT ci_id IF NOT EXISTS FOR (c:Ci) REQUIRE (c.tenant, c.id) IS UNIQUE',
  'CREATE CONSTRAINT ci_external_key IF NOT EXISTS FOR (c:Ci) REQUIRE (c.tenant, c.external_key) IS UNIQUE',
  'CREATE INDEX ci_name IF NOT EXISTS FOR (c:Ci) ON (c.tenant, c.name_key, c.id)',
  'CREATE INDEX ci_created IF NOT EXISTS FOR (c:Ci) ON (c.tenant, c.created_at, c.id)',
  'CREATE INDEX ci_updated IF NOT EXISTS FOR (c:Ci) ON (c.tenant, c.updated_at, c.id)',
  'CREATE INDEX ci_seen IF NOT EXISTS FOR (c:Ci) ON (c.tenant, c.seen_at)',
  'CREATE INDEX ci_type IF NOT EXISTS FOR (c:Ci) ON (c.tenant, c.type, c.status)',
  'CREATE INDEX ci_touched IF NOT EXISTS FOR (c:Ci) ON (c.tenant, c.touched)',
  'CREATE INDEX ci_maintained IF NOT EXISTS FOR (c:Ci) ON (c.tenant, c.maintained)',
  'CREATE TEXT INDEX ci_text IF NOT EXISTS FOR (c:Ci) ON (c.text)',
  'CREATE INDEX ci_wordy IF NOT EXISTS FOR (c:Ci) ON (c.tenant, c.wordy)',
  'CREATE INDEX ci_past_end IF NOT EXISTS FOR (p:CiPast) ON (p.valid_to)',
  'CREATE INDEX related_end IF NOT EXISTS FOR ()-[r:RELATED]-() ON (r.valid_to)',
  'CREATE INDEX ci_past_id IF NOT EXISTS FOR (p:CiPast) ON (p.tenant, p.id)',
  'CREATE INDEX known_key IF NOT EXISTS FOR (k:Known) ON (k.tenant, k.key, k.ci)',
  'CREATE CONSTRAINT relates_id IF NOT EXISTS FOR ()-[r:RELATES]-() REQUIRE (r.tenant, r.id) IS UNIQUE',
  'CREATE CONSTRAINT relates_ends IF NOT EXISTS FOR ()-[r:RELATES]-() REQUIRE (r.tenant, r.source, r.target, r.type) IS UNIQUE',
  'CREATE INDEX related_id IF NOT EXISTS FOR ()-[r:RELATED]-() ON (r.tenant, r.id)',
  'CREATE INDEX owed_id IF NOT EXISTS FOR (o:Owed) ON (o.tenant, o.id)',
  'CREATE INDEX relates_created IF NOT EXISTS FOR ()-[r:RELATES]-() ON (r.tenant, r.created_at, r.id)',
  'CREATE INDEX relates_from_ai IF NOT EXISTS FOR ()-[r:RELATES]-() ON (r.tenant, r.from_ai)',
];
const INDEXES_WITHIN_S = 5;

/** Neo4j counted versions up to 5.26 and names them by year and month since. */
const OLDEST = [5, 26] as const;

/** Returns null when the version is sufficient, else the problem. */
export function versionProblem(agent: string): string | null {
  const [, major, minor] = /^Neo4j\/(\d+)\.(\d+)/.exec(agent) ?? [];
  const version = [Number(major), Number(minor)] as const;
  if (version[0] > OLDEST[0] || (version[0] === OLDEST[0] && version[1] >= OLDEST[1])) return null;
  return `The topology store requires Neo4j ${OLDEST.join('.')} or later, but the server reports "${agent}". Upgrade it, or set NEO4J_URL to another server`;
}

/** Refuses a server that is too old; fails with a fault when none answers. */
export async function prepare(client: Neo4jClient): Promise<void> {
  const problem = versionProblem(await client.agent());
  if (problem !== null) throw new Error(problem);
  for (const statement of SCHEMA) await client.change(statement);
  await client.read(`CALL db.awaitIndexes(${INDEXES_WITHIN_S})`);
}
