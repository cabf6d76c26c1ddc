/** Changes of CIs; each function is the work of one transaction. */

import { firstItem } from '#domain/assert.ts';
import { Fault } from '#domain/fault.ts';
import type { CiRemoval, RemovedCi } from '#domain/ports/topology/ci-store.ts';
import type { Lookup } from '#domain/topology/lookup.ts';
import { assertNewerRevision, assertNoRelationships, assertRevision } from '#domain/topology/refusals.ts';
import type { Ci, Relationship } from '#domain/topology/topology.ts';
import { type CiNodeRow, ciRow, keysOf } from '#infra/neo4j/client/ci-rows.ts';
import type { Run } from '#infra/neo4j/client/client.ts';
import { parsed } from '#infra/neo4j/client/read.ts';
import { countCis, inBatches, raiseVersion, rounds } from '#infra/neo4j/client/write.ts';
import { endRelationships } from './write-relationships.ts';

const STORED = `UNWIND $ids AS id MATCH (c:Ci {tenant: $tenant, id: id})
  RETURN id, c.revision AS revision, c.valid_from AS validFrom, c.lookup AS lookup, c.record AS record,
    coalesce(c.fields, []) AS fields, c.ended IS NOT NULL AS ended`;
const HOLDERS = `UNWIND $keys AS key MATCH (c:Ci {tenant: $tenant, external_key: key}) RETURN key, c.id AS id`;
export const KEEP = `UNWIND $rows AS row MATCH (c:Ci {tenant: $tenant, id: row.id})
  CREATE (:CiPast {tenant: $tenant, id: row.id, valid_from: c.valid_from, valid_to: row.to, revision: c.revision, record: c.record,
    removed: row.removed, removed_by: row.by})`;
/** The last sighting is no part of a version. */
const SET = `UNWIND $rows AS row MERGE (c:Ci {tenant: $tenant, id: row.id})
  WITH c, row, c.seen_at AS seen SET c = row SET c.seen_at = seen`;
const LEARN = 'UNWIND $rows AS row CREATE (:Known {tenant: $tenant, key: row.key, ci: row.ci})';
const UNLEARN = 'UNWIND $rows AS row MATCH (k:Known {tenant: $tenant, key: row.key, ci: row.ci}) DELETE k';
const RELATIONSHIPS = `MATCH (c:Ci {tenant: $tenant, id: $id}) RETURN COUNT { (c)-[:RELATES]-() } AS held,
    COUNT { (c)-[r:RELATES]-() WHERE r.ai = true } AS proposed`;
export const ENDINGS = `MATCH (c:Ci {tenant: $tenant, id: $id})-[r:RELATES]-()
  RETURN r.id AS id, r.valid_from AS validFrom, r.source AS source, r.target AS target, r.record AS record`;
export const END =
  'MATCH (c:Ci {tenant: $tenant, id: $id}) SET c = {tenant: $tenant, id: $id, ended: $to, touched: $touched}';

interface StoredCi {
  readonly id: string;
  readonly revision: number;
  readonly validFrom: number;
  readonly lookup: string;
  readonly fields: readonly string[];
  readonly record: string;
  readonly ended: boolean;
}

export async function storedCis(run: Run, tenant: string, ids: readonly string[]): Promise<Map<string, StoredCi>> {
  const rows = await run<StoredCi>(STORED, { tenant, ids });
  return new Map(rows.filter(({ ended }) => !ended).map((row) => [row.id, row]));
}

type CiKeys = Pick<CiNodeRow, 'id' | 'lookup' | 'fields'>;
const known = ({ id, lookup, fields }: CiKeys): { key: string; ci: string }[] =>
  [...keysOf(JSON.parse(lookup) as Lookup), ...fields].map((key) => ({ key, ci: id }));

/** Updates the index of names, addresses and fields: only differences are written. */
export async function relearn(
  run: Run,
  tenant: string,
  before: readonly CiKeys[],
  after: readonly CiKeys[],
): Promise<void> {
  const keyed = (rows: readonly CiKeys[]) => new Map(rows.flatMap(known).map((row) => [`${row.ci} ${row.key}`, row]));
  const [old, now] = [keyed(before), keyed(after)];
  const gone = [...old].filter(([text]) => !now.has(text)).map(([, row]) => row);
  const made = [...now].filter(([text]) => !old.has(text)).map(([, row]) => row);
  await inBatches(gone, (rows) => run(UNLEARN, { tenant, rows }));
  await inBatches(made, (rows) => run(LEARN, { tenant, rows }));
}

/** The tenant is locked, so that no other writer uses a key between this check and the write. */
async function assertKeysFree(run: Run, tenant: string, cis: readonly Ci[]): Promise<void> {
  const keys = cis.flatMap(({ externalKey }) => externalKey ?? []);
  const rows = await run<{ key: string; id: string }>(HOLDERS, { tenant, keys });
  const holders = new Map(rows.map(({ key, id }) => [key, id]));
  for (const { id, externalKey } of cis) {
    if (externalKey === undefined) continue;
    if ((holders.get(externalKey) ?? id) !== id)
      throw new Fault('conflict', `external_key ${externalKey} is used by another CI`, [
        { field: 'external_key', reason: 'is used by another CI' },
      ]);
    holders.set(externalKey, id);
  }
}

/** CIs of different ids. */
export async function putRound(run: Run, tenant: string, cis: readonly Ci[], touched: number) {
  const stored = await storedCis(
    run,
    tenant,
    cis.map(({ id }) => id),
  );
  for (const { id, revision } of cis) {
    assertNewerRevision('CI', id, stored.get(id)?.revision ?? null, revision);
  }
  await assertKeysFree(run, tenant, cis);
  const fromOf = (ci: Ci): number => {
    const before = stored.get(ci.id);
    return before === undefined ? ci.createdAt : Math.max(ci.updatedAt, before.validFrom);
  };
  const rows = cis.map((ci) => ciRow(tenant, ci, fromOf(ci), touched));
  const changed = rows
    .filter(({ id }) => stored.has(id))
    .map(({ id, valid_from }) => ({ id, to: valid_from, removed: null, by: null }));
  await inBatches(changed, (batch) => run(KEEP, { tenant, rows: batch }));
  await inBatches(rows, (batch) => run(SET, { tenant, rows: batch }));
  await relearn(run, tenant, [...stored.values()], rows);
  await countCis(run, tenant, rows.length - changed.length);
}

export async function putCis(run: Run, tenant: string, cis: readonly Ci[]): Promise<void> {
  if (cis.length === 0) return;
  const version = await raiseVersion(run, tenant);
  for (const round of rounds(cis)) await putRound(run, tenant, round, version);
}

type How = { readonly id: string; readonly at: number } & CiRemoval;

/** Refuses a CI that may not go: proposals hold up nothing and go with it. Whether there is something to end. */
export async function assertCiRemovable(run: Run, tenant: string, id: string, cascade: boolean): Promise<boolean> {
  const { held, proposed } = firstItem(await run<{ held: number; proposed: number }>(RELATIONSHIPS, { tenant, id }));
  assertNoRelationships(id, held - proposed, cascade);
  assertNoRelationships(id, held, true);
  return held > 0;
}

/** Ends the relationships of the CI; throws a fault when they may not be removed with it. */
async function endHeld(run: Run, tenant: string, { id, at, cascade }: How, touched: number): Promise<Relationship[]> {
  if (!(await assertCiRemovable(run, tenant, id, cascade ?? false))) return [];
  const ending = await run<Parameters<typeof endRelationships>[2][number]>(ENDINGS, { tenant, id });
  return endRelationships(run, tenant, ending, { at, touched });
}

/** Null when there is no such CI. */
export async function removeCi(run: Run, tenant: string, how: How): Promise<RemovedCi | null> {
  const { id, at, by, revision } = how;
  if (!(await storedCis(run, tenant, [id])).has(id)) return null;
  const touched = await raiseVersion(run, tenant);
  const stored = (await storedCis(run, tenant, [id])).get(id);
  if (stored === undefined) return null;
  assertRevision('CI', id, stored.revision, revision);
  const relationships = await endHeld(run, tenant, how, touched);
  const to = Math.max(at, stored.validFrom);
  await run(KEEP, { tenant, rows: [{ id, to, removed: true, by: by ?? null }] });
  await relearn(run, tenant, [stored], []);
  await run(END, { tenant, id, to, touched });
  await countCis(run, tenant, -1);
  return { ci: parsed<Ci>(stored.record), relationships };
}
