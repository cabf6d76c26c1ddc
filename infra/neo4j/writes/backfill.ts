/** Brings nodes and edges that an earlier version wrote to the layout of this one, once per database. */
import { firstItem, lastItem } from '#domain/known.ts';
import type { Ci } from '#domain/topology/topology.ts';
import { fieldMarks, maintainedText, textOf } from '#infra/neo4j/client/ci-rows.ts';
import type { Neo4jClient, Run } from '#infra/neo4j/client/client.ts';
import { parsed } from '#infra/neo4j/client/read.ts';
import { raiseVersion } from '#infra/neo4j/client/write.ts';
import { relearn } from './write-cis.ts';

/** Raised when nodes get further properties: 2 has fields and the texts of a longer search, 3 the origin of proposals, 4 maintenance. */
const LAYOUT = 4;
const DONE = 'MATCH (l:Layout {of: "cmdb"}) RETURN l.layout AS layout';
const NOTE = 'MERGE (l:Layout {of: "cmdb"}) SET l.layout = $layout';

/** CIs per transaction. */
const CHUNK = 500;
const OLD = `MATCH (c:Ci) WHERE c.fields IS NULL AND c.record IS NOT NULL WITH c LIMIT ${CHUNK}
  RETURN c.tenant AS tenant, collect(c.id) AS ids`;
const LOCKED = `UNWIND $ids AS id MATCH (c:Ci {tenant: $tenant, id: id}) WHERE c.fields IS NULL AND c.record IS NOT NULL
  RETURN id, c.lookup AS lookup, c.record AS record`;
const PROPOSALS = `MATCH ()-[r:RELATES]->() WHERE r.ai = true AND r.from_ai IS NULL WITH r LIMIT ${CHUNK}
  SET r.from_ai = 'open' RETURN count(r) AS brought`;
const MAINTAINED = `MATCH (c:Ci) WHERE c.maintained IS NULL AND c.id > $after AND c.record IS NOT NULL
  AND (c.status = 'maintenance' OR c.record CONTAINS '"maintenance_window"')
  RETURN c.tenant AS tenant, c.id AS id, c.record AS record ORDER BY c.id LIMIT ${CHUNK}`;
const MARK = `UNWIND $rows AS row MATCH (c:Ci {tenant: row.tenant, id: row.id}) WHERE c.record = row.record
  SET c.maintained = row.maintained`;
const SET = 'UNWIND $rows AS row MATCH (c:Ci {tenant: $tenant, id: row.id}) SET c += row';

interface Old {
  readonly id: string;
  readonly lookup: string;
  readonly record: string;
}

/** The tenant is locked, so that two processes do not both add what is missing. */
async function bring(run: Run, tenant: string, ids: readonly string[]): Promise<void> {
  await raiseVersion(run, tenant);
  const old = await run<Old>(LOCKED, { tenant, ids });
  const rows = old.map(({ id, lookup, record }) => {
    const ci = parsed<Ci>(record);
    return { id, lookup, fields: fieldMarks(ci), ...textOf(ci) };
  });
  await relearn(
    run,
    tenant,
    old.map(({ id, lookup }) => ({ id, lookup, fields: [] })),
    rows,
  );
  await run(SET, { tenant, rows });
}

/** How many of a chunk there were. */
async function bringProposals({ write }: Neo4jClient): Promise<number> {
  return firstItem(await write((run) => run<{ brought: number }>(PROPOSALS, {}))).brought;
}

interface Maintained {
  readonly tenant: string;
  readonly id: string;
  readonly record: string;
}

/** A CI that is changed meanwhile has what it needs by that. Returns the last id that was looked at. */
async function bringMaintenance({ read, write }: Neo4jClient, after: string): Promise<string | null> {
  const found = await read<Maintained>(MAINTAINED, { after });
  const rows = found.map((row) => ({ ...row, maintained: maintainedText(parsed<Ci>(row.record)) }));
  await write((run) => run(MARK, { rows }));
  return found.length < CHUNK ? null : lastItem(found).id;
}

/** Nothing but one look when it was done before; else some 10,000 CIs a second. */
export async function backfill(client: Neo4jClient): Promise<void> {
  const [noted] = await client.read<{ layout: number }>(DONE);
  if (noted !== undefined && noted.layout >= LAYOUT) return;
  for (;;) {
    const found = await client.read<{ tenant: string; ids: string[] }>(OLD);
    if (found.length === 0) break;
    for (const { tenant, ids } of found) await client.write((run) => bring(run, tenant, ids));
  }
  while ((await bringProposals(client)) === CHUNK);
  for (let after: string | null = ''; after !== null; ) after = await bringMaintenance(client, after);
  await client.write((run) => run(NOTE, { layout: LAYOUT }));
}
