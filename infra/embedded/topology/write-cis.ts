import { Fault } from '#domain/fault.ts';
import type { SideRecord } from '#domain/side-record.ts';
import { type Lookup, lookupOf } from '#domain/topology/lookup.ts';
import { maintenanceOf } from '#domain/topology/maintenance.ts';
import { assertNewerRevision } from '#domain/topology/refusals.ts';
import type { Ci } from '#domain/topology/topology.ts';
import type { Database } from '#infra/embedded/redo-log/database.ts';
import { type CountDeltas, countDeltasOf } from './counts.ts';
import { addFields, changeFields, type FieldChanges, noFieldChanges, writeFields } from './fields.ts';
import { writeHardware } from './match.ts';
import { liveNode, type NodeFacts, rememberCi, type TenantTopology } from './memory.ts';
import { CI_COLUMNS, ciValues, type LookupRow, unpackLookup } from './rows.ts';
import { commit, isTaken, marks, type TopologyFile } from './write.ts';

const CI_ALL = `${CI_COLUMNS}, lookup, name_key, description_key, found_key`;

const INSERT_CI = `INSERT INTO ci (${CI_ALL}) VALUES (${marks(CI_ALL)})`;
const UPDATE_CI = `UPDATE ci SET (${CI_ALL}) = (${marks(CI_ALL)}) WHERE tenant = ? AND id = ?`;
export const STORED_CI =
  'SELECT n, name, type, status, external_key, lookup, formerly, revision, valid_from, attributes, custom_fields FROM ci WHERE tenant = ? AND id = ?';
export const KEEP_CI = `INSERT INTO ci_past (${CI_COLUMNS}, valid_to, removed, removed_by) SELECT ${CI_COLUMNS}, ?, ?, ? FROM ci WHERE tenant = ? AND id = ?`;

export interface StoredCi extends LookupRow {
  readonly n: number;
  readonly type: string;
  readonly status: string;
  readonly attributes: string;
  readonly custom_fields: string;
  readonly revision: number;
  readonly valid_from: number;
}

export interface WrittenCi extends NodeFacts {
  readonly before: Lookup | null;
}

/** Counts and fields are written at the end of the transaction. */
export interface PendingCis {
  readonly tally: CountDeltas;
  readonly fields: FieldChanges;
}

export function writeCi(
  database: Database,
  tenant: string,
  ci: Ci,
  known: boolean,
  { tally, fields }: PendingCis,
): WrittenCi {
  const stored = known ? (database.statement(STORED_CI).get(tenant, ci.id) as StoredCi | undefined) : undefined;
  const lookup = lookupOf(ci);
  const facts = { id: ci.id, name: ci.name, type: ci.type, lookup, maintenance: maintenanceOf(ci) };
  writeHardware(database, tenant, ci.id, lookup.hardware ?? [], known);
  try {
    assertNewerRevision('CI', ci.id, stored?.revision ?? null, ci.revision);
    if (stored === undefined) {
      const made = database.statement(INSERT_CI).run(...ciValues(tenant, ci, ci.createdAt, lookup));
      addFields(fields, Number(made.lastInsertRowid), ci);
      tally.add(ci.type, ci.status, 1);
      return { ...facts, before: null };
    }
    const from = Math.max(ci.updatedAt, stored.valid_from);
    database.statement(KEEP_CI).run(from, 0, null, tenant, ci.id);
    database.statement(UPDATE_CI).run(...ciValues(tenant, ci, from, lookup), tenant, ci.id);
    changeFields(fields, stored, ci);
    tally.add(stored.type, stored.status, -1);
    tally.add(ci.type, ci.status, 1);
    return { ...facts, before: unpackLookup(stored) };
  } catch (error) {
    if (!isTaken(error)) throw error;
    throw new Fault('conflict', `external_key ${ci.externalKey} is used by another CI`, [
      { field: 'external_key', reason: 'is used by another CI' },
    ]);
  }
}

export function putCis(
  { database, records }: TopologyFile,
  topology: TenantTopology,
  tenant: string,
  cis: readonly Ci[],
  sideRecords: readonly SideRecord[] = [],
): void {
  const seen = new Set<string>();
  const pending: PendingCis = { tally: countDeltasOf('ci'), fields: noFieldChanges() };
  const written = commit(database, () => {
    const rows = cis.map((ci) => {
      const known = liveNode(topology, ci.id) !== undefined || seen.has(ci.id);
      seen.add(ci.id);
      return writeCi(database, tenant, ci, known, pending);
    });
    pending.tally.write(database, tenant);
    writeFields(database, tenant, pending.fields);
    records.add(sideRecords);
    return rows;
  });
  for (const ci of written) rememberCi(topology, ci, ci.before);
}
