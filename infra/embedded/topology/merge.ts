/** Two CIs become one, in one transaction. */

import { firstItem } from '#domain/assert.ts';
import type { CiMerge, MergedCis } from '#domain/ports/topology/ci-store.ts';
import { type Merging, movesOf, type Resettled, resettled } from '#domain/topology/merge.ts';
import { assertRevision, MAX_CASCADE } from '#domain/topology/refusals.ts';
import type { Relationship } from '#domain/topology/topology.ts';
import type { Database } from '#infra/embedded/redo-log/database.ts';
import { onlyRow } from '#infra/embedded/sqlite/rows.ts';
import { countDeltasOf } from './counts.ts';
import { dropFields, noFieldChanges, writeFields } from './fields.ts';
import { readBetween, readCis } from './get.ts';
import { dropHardware } from './match.ts';
import { forgetCi, liveNode, rememberCi, type TenantTopology } from './memory.ts';
import { assertCiRemovable, DELETE_CI, type Ending, endAll, endingsAt, forgetEndings } from './remove.ts';
import { relationshipOf, unpackLookup } from './rows.ts';
import { dropSighting, readSightings, writeSightings } from './seen.ts';
import { commit, type TopologyFile } from './write.ts';
import { KEEP_CI, type PendingCis, STORED_CI, type StoredCi, writeCi } from './write-cis.ts';
import { rememberRelationship, writeRelationship } from './write-relationships.ts';

interface MergedRelationships {
  readonly endings: readonly Ending[];
  readonly rest: Resettled;
}

/** Returns the relationships of the removed CI, sorted into ended and put ones. */
function heldBy(database: Database, tenant: string, merging: Merging): MergedRelationships {
  const all = endingsAt(database, tenant, { ci: merging.from, at: merging.at, limit: MAX_CASCADE });
  const moves = movesOf(
    all.map(({ row }) => relationshipOf(row)),
    merging,
  );
  const rest = resettled(moves, readBetween(database, tenant, moves.moving), merging);
  const ends = new Set(rest.ends);
  return { endings: all.filter(({ row }) => ends.has(row.id)), rest };
}

/** Part of a transaction. */
function endCi(
  database: Database,
  tenant: string,
  id: string,
  stored: StoredCi,
  how: { to: number; by: string } & PendingCis,
): void {
  const { tally, fields } = how;
  tally.add(stored.type, stored.status, -1);
  database.statement(KEEP_CI).run(how.to, 1, how.by, tenant, id);
  database.statement(DELETE_CI).run(tenant, id);
  dropHardware(database, tenant, id);
  dropFields(fields, stored);
  dropSighting(database, tenant, id);
}

function putAll(database: Database, tenant: string, puts: readonly Relationship[]) {
  const tally = countDeltasOf('relationship');
  const written = puts.map((one) => writeRelationship(database, tenant, one, tally));
  tally.write(database, tenant);
  return written;
}

/** Returns null when the CI to remove does not exist. */
export function mergeCis(
  { database, records }: TopologyFile,
  topology: TenantTopology,
  tenant: string,
  { into, from: { id, revision }, at, by, sideRecords }: CiMerge,
): MergedCis | null {
  if (liveNode(topology, id) === undefined) return null;
  const stored = onlyRow(database.statement<StoredCi>(STORED_CI).get(tenant, id));
  assertRevision('CI', id, stored.revision, revision);
  assertCiRemovable(database, tenant, id, true);
  const to = Math.max(at, stored.valid_from);
  const seenAt = readSightings(database, tenant, [id]).get(id);
  const { endings, rest } = heldBy(database, tenant, { from: id, into: into.id, at });
  const merged = { from: firstItem(readCis(database, tenant, [id])), moved: rest.puts.length, ended: endings.length };
  const { ci, relationships } = commit(database, () => {
    const pending: PendingCis = { tally: countDeltasOf('ci'), fields: noFieldChanges() };
    endAll(database, tenant, endings);
    const relationships = putAll(database, tenant, rest.puts);
    endCi(database, tenant, id, stored, { to, by, ...pending });
    const ci = writeCi(database, tenant, into, true, pending);
    pending.tally.write(database, tenant);
    writeFields(database, tenant, pending.fields);
    if (seenAt !== undefined) writeSightings(database, topology, tenant, [{ ci: into.id, at: seenAt }]);
    records.add(sideRecords?.(merged) ?? []);
    return { ci, relationships };
  });
  forgetEndings(topology, endings);
  for (const one of relationships) rememberRelationship(topology, one);
  forgetCi(topology, id, unpackLookup(stored), to);
  rememberCi(topology, ci, ci.before);
  return merged;
}
