import { Fault, invalid } from '#domain/fault.ts';
import type { SideRecord } from '#domain/side-record.ts';
import { assertNewerRevision } from '#domain/topology/refusals.ts';
import {
  isCritical,
  isProposed,
  PROPOSED,
  type Relationship,
  redundancyOf,
  relationshipType,
} from '#domain/topology/topology.ts';
import type { Database } from '#infra/embedded/redo-log/database.ts';
import { type CountDeltas, countDeltasOf } from './counts.ts';
import { endRelationship, liveNode, rememberEdge, type StoredEnds, type TenantTopology } from './memory.ts';
import { RELATIONSHIP_COLUMNS, type RelationshipRow, redundancyIn, relationshipValues } from './rows.ts';
import { commit, isTaken, marks, type TopologyFile } from './write.ts';

const INSERT_RELATIONSHIP = `INSERT INTO relationship (${RELATIONSHIP_COLUMNS}) VALUES (${marks(RELATIONSHIP_COLUMNS)})`;
export const STORED_RELATIONSHIP = `SELECT ${RELATIONSHIP_COLUMNS} FROM relationship WHERE tenant = ? AND id = ?`;
export const KEEP_RELATIONSHIP = `INSERT INTO relationship_past (${RELATIONSHIP_COLUMNS}, valid_to)
  SELECT ${RELATIONSHIP_COLUMNS}, ? FROM relationship WHERE tenant = ? AND id = ?`;
export const DELETE_RELATIONSHIP = 'DELETE FROM relationship WHERE tenant = ? AND id = ?';

export interface WrittenRelationship {
  readonly now: StoredEnds;
  readonly before: StoredEnds | null;
  readonly from: number;
}

export const endsOf = (row: RelationshipRow): StoredEnds => ({
  source: row.source,
  target: row.target,
  type: row.type,
  critical: row.critical === 1,
  redundancy: redundancyIn(row),
  isProposed: row.discovered_by === PROPOSED,
});

function checkEnds(topology: TenantTopology, { source, target }: Relationship): void {
  if (source === target) throw invalid('target', 'must differ from the source');
  if (liveNode(topology, source) === undefined) throw invalid('source', `CI ${source} does not exist`);
  if (liveNode(topology, target) === undefined) throw invalid('target', `CI ${target} does not exist`);
}

function insertRelationship(
  database: Database,
  tenant: string,
  relationship: Relationship,
  from: { reach: number | null; valid: number },
): void {
  try {
    database.statement(INSERT_RELATIONSHIP).run(...relationshipValues(tenant, relationship, from));
  } catch (error) {
    if (!isTaken(error)) throw error;
    const { source, target, type } = relationship;
    throw new Fault('conflict', `A relationship ${type} from ${source} to ${target} already exists`);
  }
}

export const isAi = (discoveredBy: string): number => (isProposed({ discoveredBy }) ? 1 : 0);

export function writeRelationship(
  database: Database,
  tenant: string,
  given: Relationship,
  tally: CountDeltas,
): WrittenRelationship {
  const relationship = { ...given, type: relationshipType(given.type) };
  const stored = database.statement(STORED_RELATIONSHIP).get(tenant, given.id) as RelationshipRow | undefined;
  const now = {
    source: given.source,
    target: given.target,
    type: relationship.type,
    critical: isCritical(given),
    redundancy: redundancyOf(given),
    isProposed: isProposed(given),
  };
  assertNewerRevision('Relationship', given.id, stored?.revision ?? null, given.revision);
  if (stored === undefined) {
    insertRelationship(database, tenant, relationship, { reach: null, valid: given.createdAt });
    tally.add(relationship.type, isAi(given.discoveredBy), 1);
    return { now, before: null, from: given.createdAt };
  }
  const from = Math.max(given.updatedAt, stored.valid_from);
  database.statement(KEEP_RELATIONSHIP).run(from, tenant, given.id);
  database.statement(DELETE_RELATIONSHIP).run(tenant, given.id);
  const before = endsOf(stored);
  insertRelationship(database, tenant, relationship, { reach: before.isProposed ? null : from, valid: from });
  tally.add(stored.type, isAi(stored.discovered_by), -1);
  tally.add(relationship.type, isAi(given.discoveredBy), 1);
  return { now, before, from };
}

const isSame = (a: StoredEnds, b: StoredEnds): boolean =>
  a.isProposed === b.isProposed &&
  a.source === b.source &&
  a.target === b.target &&
  a.type === b.type &&
  a.critical === b.critical &&
  a.redundancy?.group === b.redundancy?.group &&
  a.redundancy?.required === b.redundancy?.required;

/** A proposal is not remembered; one that is accepted reaches back for ever, as a first version does. */
export function rememberRelationship(topology: TenantTopology, { now, before, from }: WrittenRelationship): void {
  if (before !== null && isSame(before, now)) return;
  const isFirst = before === null || before.isProposed;
  if (!isFirst) endRelationship(topology, before, from);
  if (!now.isProposed) rememberEdge(topology, now, { since: isFirst ? -Infinity : from, until: Infinity });
}

export function putRelationships(
  { database, records }: TopologyFile,
  topology: TenantTopology,
  tenant: string,
  relationships: readonly Relationship[],
  sideRecords: readonly SideRecord[] = [],
): void {
  const tally = countDeltasOf('relationship');
  const written = commit(database, () => {
    const rows = relationships.map((relationship) => {
      checkEnds(topology, relationship);
      return writeRelationship(database, tenant, relationship, tally);
    });
    tally.write(database, tenant);
    records.add(sideRecords);
    return rows;
  });
  for (const relationship of written) rememberRelationship(topology, relationship);
}
