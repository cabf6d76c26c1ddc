/** Changes of relationships; each function is the work of one transaction. */

import { firstItem } from '#domain/assert.ts';
import { Fault, invalid } from '#domain/fault.ts';
import type { Removal } from '#domain/ports/topology/ci-store.ts';
import { assertNewerRevision, assertRevision } from '#domain/topology/refusals.ts';
import { type Relationship, relationshipType } from '#domain/topology/topology.ts';
import type { Run } from '#infra/neo4j/client/client.ts';
import { edgeRow } from '#infra/neo4j/client/edge-rows.ts';
import { parsed } from '#infra/neo4j/client/read.ts';
import { inBatches, raiseVersion, rounds } from '#infra/neo4j/client/write.ts';

const LIVING = 'UNWIND $ids AS id MATCH (c:Ci {tenant: $tenant, id: id}) WHERE c.ended IS NULL RETURN id';
const STORED = `UNWIND $ids AS id MATCH ()-[r:RELATES {tenant: $tenant, id: id}]->()
  RETURN id, r.revision AS revision, r.valid_from AS validFrom, r.ai AS isProposed, r.source AS source, r.target AS target, r.record AS record`;
const SAME = `UNWIND $rows AS row
  MATCH ()-[r:RELATES {tenant: $tenant, source: row.source, target: row.target, type: row.type}]->()
  RETURN r.id AS id, r.source AS source, r.target AS target, r.type AS type`;
const KEEP = `UNWIND $rows AS row MATCH (a)-[r:RELATES {tenant: $tenant, id: row.id}]->(b)
  CREATE (a)-[p:RELATED]->(b) SET p = properties(r), p.valid_to = row.to DELETE r`;
const JOIN = `UNWIND $rows AS row MATCH (a:Ci {tenant: $tenant, id: row.source}) MATCH (b:Ci {tenant: $tenant, id: row.target})
  CREATE (a)-[r:RELATES]->(b) SET r = row`;
const TOUCH = 'UNWIND $ids AS id MATCH (c:Ci {tenant: $tenant, id: id}) SET c.touched = $touched';

interface StoredEdge {
  readonly id: string;
  readonly revision: number;
  readonly validFrom: number;
  readonly isProposed: boolean;
  readonly source: string;
  readonly target: string;
  readonly record: string;
}

const endsOf = (rows: readonly Pick<Relationship, 'source' | 'target'>[]): string[] => [
  ...new Set(rows.flatMap(({ source, target }) => [source, target])),
];

const sameKey = ({ source, target, type }: Pick<Relationship, 'source' | 'target' | 'type'>): string =>
  JSON.stringify([source, target, type]);

const storedEdges = async (run: Run, tenant: string, ids: readonly string[]): Promise<Map<string, StoredEdge>> =>
  new Map((await run<StoredEdge>(STORED, { tenant, ids })).map((row) => [row.id, row]));

function checkEnds(living: ReadonlySet<string>, { source, target }: Relationship): void {
  if (source === target) throw invalid('target', 'must differ from the source');
  if (!living.has(source)) throw invalid('source', `CI ${source} does not exist`);
  if (!living.has(target)) throw invalid('target', `CI ${target} does not exist`);
}

/** Checks in the order of the list: the first wrong one names the fault. */
async function check(run: Run, tenant: string, rows: readonly Relationship[], stored: Map<string, StoredEdge>) {
  const living = new Set((await run<{ id: string }>(LIVING, { tenant, ids: endsOf(rows) })).map(({ id }) => id));
  const ends = rows.map(({ source, target, type }) => ({ source, target, type }));
  const same = await run<{ id: string; source: string; target: string; type: string }>(SAME, { tenant, rows: ends });
  const holders = new Map(same.map((row) => [sameKey(row), row.id]));
  for (const row of rows) {
    checkEnds(living, row);
    assertNewerRevision('Relationship', row.id, stored.get(row.id)?.revision ?? null, row.revision);
    if ((holders.get(sameKey(row)) ?? row.id) !== row.id)
      throw new Fault('conflict', `A relationship ${row.type} from ${row.source} to ${row.target} already exists`);
    holders.set(sameKey(row), row.id);
  }
}

/** Relationships of different ids. */
export async function putRelationshipRound(
  run: Run,
  tenant: string,
  given: readonly Relationship[],
  touched: number,
): Promise<void> {
  const relationships = given.map((one) => ({ ...one, type: relationshipType(one.type) }));
  const stored = await storedEdges(
    run,
    tenant,
    relationships.map(({ id }) => id),
  );
  await check(run, tenant, relationships, stored);
  const rows = relationships.map((one) => {
    const before = stored.get(one.id);
    if (before === undefined) return edgeRow(tenant, one, { validFrom: one.createdAt, since: null });
    const from = Math.max(one.updatedAt, before.validFrom);
    // An accepted proposal reaches back for ever, as a first version does.
    return edgeRow(tenant, one, { validFrom: from, since: before.isProposed ? null : from });
  });
  const changed = rows.filter(({ id }) => stored.has(id)).map(({ id, valid_from }) => ({ id, to: valid_from }));
  await inBatches(changed, (batch) => run(KEEP, { tenant, rows: batch }));
  await inBatches(rows, (batch) => run(JOIN, { tenant, rows: batch }));
  const ids = endsOf([...rows, ...stored.values()]);
  await inBatches(ids, (batch) => run(TOUCH, { tenant, ids: batch, touched }));
}

export async function putRelationships(run: Run, tenant: string, given: readonly Relationship[]): Promise<void> {
  if (given.length === 0) return;
  const version = await raiseVersion(run, tenant);
  for (const round of rounds(given)) await putRelationshipRound(run, tenant, round, version);
}

/** Part of a transaction that has raised the version to `touched`. */
export async function endRelationships(
  run: Run,
  tenant: string,
  ending: readonly Omit<StoredEdge, 'revision' | 'isProposed'>[],
  { at, touched }: { readonly at: number; readonly touched: number },
): Promise<Relationship[]> {
  const rows = ending.map(({ id, validFrom }) => ({ id, to: Math.max(at, validFrom) }));
  await inBatches(rows, (batch) => run(KEEP, { tenant, rows: batch }));
  await inBatches(endsOf(ending), (ids) => run(TOUCH, { tenant, ids, touched }));
  return ending.map(({ record }) => parsed<Relationship>(record));
}

/** Null when there is no such relationship. */
export async function removeRelationship(
  run: Run,
  tenant: string,
  { id, at, revision }: { readonly id: string; readonly at: number } & Removal<Relationship>,
): Promise<Relationship | null> {
  if (!(await storedEdges(run, tenant, [id])).has(id)) return null;
  const touched = await raiseVersion(run, tenant);
  const stored = (await storedEdges(run, tenant, [id])).get(id);
  if (stored === undefined) return null;
  assertRevision('Relationship', id, stored.revision, revision);
  return firstItem(await endRelationships(run, tenant, [stored], { at, touched }));
}
