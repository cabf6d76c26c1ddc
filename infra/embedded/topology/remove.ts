/** Ends of CIs and relationships, which keep their past; and the deletion of the past that is too old. */

import { setImmediate } from 'node:timers/promises';
import { firstItem } from '#domain/assert.ts';
import type { CiRemoval, Removal, RemovedCi } from '#domain/ports/topology/ci-store.ts';
import { assertNoRelationships, assertRevision, MAX_CASCADE } from '#domain/topology/refusals.ts';
import type { Relationship } from '#domain/topology/topology.ts';
import type { Database } from '#infra/embedded/redo-log/database.ts';
import { onlyRow } from '#infra/embedded/sqlite/rows.ts';
import { countDeltasOf } from './counts.ts';
import { dropFields, noFieldChanges, writeFields } from './fields.ts';
import { readCis } from './get.ts';
import { dropHardware } from './match.ts';
import { endRelationship, forgetCi, liveNode, type TenantTopology } from './memory.ts';
import { RELATIONSHIP_COLUMNS, type RelationshipRow, relationshipOf, unpackLookup } from './rows.ts';
import { dropSighting } from './seen.ts';
import { commit, type TopologyFile } from './write.ts';
import { KEEP_CI, STORED_CI, type StoredCi } from './write-cis.ts';
import { DELETE_RELATIONSHIP, endsOf, isAi, KEEP_RELATIONSHIP, STORED_RELATIONSHIP } from './write-relationships.ts';

export const DELETE_CI = 'DELETE FROM ci WHERE tenant = ? AND id = ?';

/** One that is to go, and when. */
export interface Ending {
  readonly row: RelationshipRow;
  readonly to: number;
}

/** Refuses a CI that may not go: proposals hold up nothing and go with it. Whether there is something to end. */
export function assertCiRemovable(database: Database, tenant: string, id: string, cascade: boolean): boolean {
  const at = (end: 'source' | 'target'): string => `SELECT ai FROM relationship WHERE tenant = ?1 AND ${end} = ?2`;
  const { held, proposed } = onlyRow(
    database
      .statement<{ readonly held: number; readonly proposed: number }>(
        `SELECT count(*) AS held, coalesce(sum(ai), 0) AS proposed FROM (${at('source')} UNION ALL ${at('target')})`,
      )
      .get(tenant, id),
  );
  assertNoRelationships(id, held - proposed, cascade);
  assertNoRelationships(id, held, true);
  return held > 0;
}

/** Both directions; at most `limit`. */
export function endingsAt(
  database: Database,
  tenant: string,
  { ci, at, limit }: { ci: string; at: number; limit: number },
): Ending[] {
  const by = (end: 'source' | 'target'): string =>
    `SELECT ${RELATIONSHIP_COLUMNS} FROM relationship WHERE tenant = ?1 AND ${end} = ?2`;
  const rows = database
    .statement<RelationshipRow>(`${by('source')} UNION ALL ${by('target')} LIMIT ?3`)
    .all(tenant, ci, limit);
  return rows.map((row) => ({ row, to: Math.max(at, row.valid_from) }));
}

/** Part of a transaction; memory applies it with `forgetEndings` after it. */
export function endAll(database: Database, tenant: string, endings: readonly Ending[]): void {
  const tally = countDeltasOf('relationship');
  for (const { row, to } of endings) {
    database.statement(KEEP_RELATIONSHIP).run(to, tenant, row.id);
    database.statement(DELETE_RELATIONSHIP).run(tenant, row.id);
    tally.add(row.type, isAi(row.discovered_by), -1);
  }
  tally.write(database, tenant);
}

export function forgetEndings(topology: TenantTopology, endings: readonly Ending[]): void {
  for (const { row, to } of endings) {
    const ends = endsOf(row);
    if (!ends.isProposed) endRelationship(topology, ends, to);
  }
}

/** Null when there is no such relationship. */
export function removeRelationship(
  { database, records }: TopologyFile,
  topology: TenantTopology,
  tenant: string,
  { id, at, revision, sideRecords }: { readonly id: string; readonly at: number } & Removal<Relationship>,
): Relationship | null {
  const row = database.statement(STORED_RELATIONSHIP).get(tenant, id) as RelationshipRow | undefined;
  if (row === undefined) return null;
  assertRevision('Relationship', id, row.revision, revision);
  const endings = [{ row, to: Math.max(at, row.valid_from) }];
  const removed = relationshipOf(row);
  commit(database, () => {
    endAll(database, tenant, endings);
    records.add(sideRecords?.(removed) ?? []);
  });
  forgetEndings(topology, endings);
  return removed;
}

/** Null when there is no such CI. */
export function removeCi(
  { database, records }: TopologyFile,
  topology: TenantTopology,
  tenant: string,
  {
    id,
    at,
    by = null,
    cascade = false,
    revision,
    sideRecords,
  }: { id: string; at: number; by?: string | null } & Omit<CiRemoval, 'by'>,
): RemovedCi | null {
  if (liveNode(topology, id) === undefined) return null;
  const stored = onlyRow(database.statement<StoredCi>(STORED_CI).get(tenant, id));
  assertRevision('CI', id, stored.revision, revision);
  const isHeld = assertCiRemovable(database, tenant, id, cascade);
  const ci = firstItem(readCis(database, tenant, [id]));
  const to = Math.max(at, stored.valid_from);
  const endings = isHeld ? endingsAt(database, tenant, { ci: id, at, limit: MAX_CASCADE }) : [];
  const removed = { ci, relationships: endings.map(({ row }) => relationshipOf(row)) };
  const tally = countDeltasOf('ci');
  tally.add(stored.type, stored.status, -1);
  commit(database, () => {
    endAll(database, tenant, endings);
    database.statement(KEEP_CI).run(to, 1, by, tenant, id);
    database.statement(DELETE_CI).run(tenant, id);
    dropHardware(database, tenant, id);
    const fields = noFieldChanges();
    dropFields(fields, stored);
    writeFields(database, tenant, fields);
    dropSighting(database, tenant, id);
    tally.write(database, tenant);
    records.add(sideRecords?.(removed) ?? []);
  });
  forgetEndings(topology, endings);
  forgetCi(topology, id, unpackLookup(stored), to);
  return removed;
}

/** Past versions deleted per transaction, so that it does not block other work. */
const CHUNK = 500;
/** Transactions per call and table: a stop waits for the call, and the next one continues. */
const TURNS = 400;
const PAST_TABLES = ['ci_past', 'relationship_past'] as const;

/** Versions are numbered as they end, except after clock changes: the lowest numbers are the oldest. */
const forgetSome = (database: Database, table: (typeof PAST_TABLES)[number], before: number): number =>
  database.write(
    `DELETE FROM ${table} WHERE n IN (SELECT n FROM ${table} ORDER BY n LIMIT ${CHUNK}) AND valid_to < ?`,
    before,
  );

/** Deletes versions that ended before this time (ms), the oldest 200,000 of each table; returns how many. */
export async function forgetVersions(database: Database, before: number): Promise<number> {
  let forgotten = 0;
  for (const table of PAST_TABLES)
    for (let turn = 0; turn < TURNS; turn++) {
      const some = await database.exclusive(() => database.transaction(() => forgetSome(database, table, before)));
      if (some === 0) break;
      forgotten += some;
      await setImmediate();
    }
  return forgotten;
}
