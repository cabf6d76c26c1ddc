/** Changes of CIs and relationships: first the file, in one transaction, then memory. */
import { Fault, invalid } from '#domain/fault.ts';
import { countEdges } from '#domain/topology/graph.ts';
import { type Lookup, lookupOf } from '#domain/topology/lookup.ts';
import { type Ci, isCritical, type Relationship, relationshipType } from '#domain/topology/topology.ts';
import type { Database } from './database.ts';
import { parseAddress } from './topology-address.ts';
import {
  type CiFacts,
  type EndsAndType,
  endRelationship,
  forgetCi,
  liveNode,
  rememberCi,
  rememberEdge,
  type TenantTopology,
} from './topology-memory.ts';
import {
  CI_COLUMNS,
  ciValues,
  RELATIONSHIP_COLUMNS,
  type RelationshipRow,
  relationshipValues,
  unpackLookup,
} from './topology-rows.ts';

const marks = (columns: string): string =>
  columns
    .split(', ')
    .map(() => '?')
    .join(', ');
const CI_ALL = `${CI_COLUMNS}, lookup, name_key, description_key`;

const INSERT_CI = `INSERT INTO ci (${CI_ALL}) VALUES (${marks(CI_ALL)})`;
const UPDATE_CI = `UPDATE ci SET (${CI_ALL}) = (${marks(CI_ALL)}) WHERE tenant = ? AND id = ?`;
const STORED_CI = 'SELECT name, external_key, lookup, revision, valid_from FROM ci WHERE tenant = ? AND id = ?';
const KEEP_CI = `INSERT INTO ci_past (${CI_COLUMNS}, valid_to, removed) SELECT ${CI_COLUMNS}, ?, ? FROM ci WHERE tenant = ? AND id = ?`;
const DELETE_CI = 'DELETE FROM ci WHERE tenant = ? AND id = ?';

const INSERT_RELATIONSHIP = `INSERT INTO relationship (${RELATIONSHIP_COLUMNS}) VALUES (${marks(RELATIONSHIP_COLUMNS)})`;
const STORED_RELATIONSHIP = `SELECT ${RELATIONSHIP_COLUMNS} FROM relationship WHERE tenant = ? AND id = ?`;
const KEEP_RELATIONSHIP = `INSERT INTO relationship_past (${RELATIONSHIP_COLUMNS}, valid_to)
  SELECT ${RELATIONSHIP_COLUMNS}, ? FROM relationship WHERE tenant = ? AND id = ?`;
const DELETE_RELATIONSHIP = 'DELETE FROM relationship WHERE tenant = ? AND id = ?';

/** The ids that a change made and those that it changed. */
export interface Written {
  readonly created: readonly string[];
  readonly updated: readonly string[];
}

interface StoredCi {
  readonly name: string;
  readonly external_key: string | null;
  readonly lookup: string;
  readonly revision: number;
  readonly valid_from: number;
}

/** Result code of a broken uniqueness. Not told by `instanceof Error`: errors of native code belong to no realm of a test. */
const SQLITE_CONSTRAINT = 19;
const isTaken = (error: unknown): boolean =>
  typeof error === 'object' &&
  error !== null &&
  'errcode' in error &&
  (Number(error.errcode) & 0xff) === SQLITE_CONSTRAINT;

function refuseOld(what: string, id: string, stored: number, revision: number): void {
  if (revision > stored) return;
  throw new Fault('precondition', `${what} ${id} has changed since: revision ${stored} is stored`, [], {
    data: { revision: stored },
  });
}

/** Memory takes a change when its own transaction is committed, so it cannot be part of another. */
function commit<T>(database: Database, work: () => T): T {
  if (database.db.isTransaction) throw new Error('A change of the topology cannot be part of another transaction');
  return database.transaction(work);
}

interface WrittenCi extends CiFacts {
  readonly before: Lookup | null;
}

function writeCi(database: Database, tenant: string, ci: Ci, known: boolean): WrittenCi {
  const stored = known ? (database.statement(STORED_CI).get(tenant, ci.id) as StoredCi | undefined) : undefined;
  const lookup = lookupOf(ci, parseAddress);
  const facts = { id: ci.id, name: ci.name, type: ci.type, lookup };
  try {
    if (stored === undefined) {
      database.statement(INSERT_CI).run(...ciValues(tenant, ci, ci.createdAt, lookup));
      return { ...facts, before: null };
    }
    refuseOld('CI', ci.id, stored.revision, ci.revision);
    const from = Math.max(ci.updatedAt, stored.valid_from);
    database.statement(KEEP_CI).run(from, 0, tenant, ci.id);
    database.statement(UPDATE_CI).run(...ciValues(tenant, ci, from, lookup), tenant, ci.id);
    return { ...facts, before: unpackLookup(stored.name, stored.external_key, stored.lookup) };
  } catch (error) {
    if (!isTaken(error)) throw error;
    throw new Fault('conflict', `external_key ${ci.externalKey} is used by another CI`, [
      { field: 'external_key', reason: 'is used by another CI' },
    ]);
  }
}

export function putCis(database: Database, topology: TenantTopology, tenant: string, cis: readonly Ci[]): Written {
  const seen = new Set<string>();
  const written = commit(database, () =>
    cis.map((ci) => {
      const known = liveNode(topology, ci.id) !== undefined || seen.has(ci.id);
      seen.add(ci.id);
      return writeCi(database, tenant, ci, known);
    }),
  );
  for (const ci of written) rememberCi(topology, ci, ci.before);
  const isNew = ({ before }: WrittenCi): boolean => before === null;
  return {
    created: written.filter(isNew).map(({ id }) => id),
    updated: written.filter((ci) => !isNew(ci)).map(({ id }) => id),
  };
}

/** False when there is no such CI. */
export function removeCi(
  database: Database,
  topology: TenantTopology,
  tenant: string,
  id: string,
  at: number,
): boolean {
  const node = liveNode(topology, id);
  if (node === undefined) return false;
  const relationships = countEdges(topology.graph, node);
  if (relationships > 0)
    throw new Fault('conflict', `CI ${id} has ${relationships} relationships`, [], { data: { relationships } });
  const stored = database.statement(STORED_CI).get(tenant, id) as unknown as StoredCi;
  const to = Math.max(at, stored.valid_from);
  commit(database, () => {
    database.statement(KEEP_CI).run(to, 1, tenant, id);
    database.statement(DELETE_CI).run(tenant, id);
  });
  forgetCi(topology, id, unpackLookup(stored.name, stored.external_key, stored.lookup), to);
  return true;
}

interface WrittenRelationship {
  readonly id: string;
  readonly now: EndsAndType;
  readonly before: EndsAndType | null;
  readonly from: number;
}

const endsOf = (row: RelationshipRow): EndsAndType => ({
  source: row.source,
  target: row.target,
  type: row.type,
  critical: row.critical === 1,
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
    throw new Fault('conflict', `A relationship ${type} from ${source} to ${target} exists already`);
  }
}

function writeRelationship(database: Database, tenant: string, given: Relationship): WrittenRelationship {
  const relationship = { ...given, type: relationshipType(given.type) };
  const stored = database.statement(STORED_RELATIONSHIP).get(tenant, given.id) as RelationshipRow | undefined;
  const now = { source: given.source, target: given.target, type: relationship.type, critical: isCritical(given) };
  if (stored === undefined) {
    insertRelationship(database, tenant, relationship, { reach: null, valid: given.createdAt });
    return { id: given.id, now, before: null, from: given.createdAt };
  }
  refuseOld('Relationship', given.id, stored.revision, given.revision);
  const from = Math.max(given.updatedAt, stored.valid_from);
  database.statement(KEEP_RELATIONSHIP).run(from, tenant, given.id);
  database.statement(DELETE_RELATIONSHIP).run(tenant, given.id);
  insertRelationship(database, tenant, relationship, { reach: from, valid: from });
  return { id: given.id, now, before: endsOf(stored), from };
}

const isSame = (a: EndsAndType, b: EndsAndType): boolean =>
  a.source === b.source && a.target === b.target && a.type === b.type && a.critical === b.critical;

function rememberRelationship(topology: TenantTopology, { now, before, from }: WrittenRelationship): void {
  topology.changedAt = Math.max(topology.changedAt, from);
  if (before !== null && isSame(before, now)) return;
  if (before !== null) endRelationship(topology, before, from);
  rememberEdge(topology, now, { since: before === null ? -Infinity : from, until: Infinity });
}

export function putRelationships(
  database: Database,
  topology: TenantTopology,
  tenant: string,
  relationships: readonly Relationship[],
): Written {
  const written = commit(database, () =>
    relationships.map((relationship) => {
      checkEnds(topology, relationship);
      return writeRelationship(database, tenant, relationship);
    }),
  );
  for (const relationship of written) rememberRelationship(topology, relationship);
  return {
    created: written.filter(({ before }) => before === null).map(({ id }) => id),
    updated: written.filter(({ before }) => before !== null).map(({ id }) => id),
  };
}

/** False when there is no such relationship. */
export function removeRelationship(
  database: Database,
  topology: TenantTopology,
  tenant: string,
  id: string,
  at: number,
): boolean {
  const stored = database.statement(STORED_RELATIONSHIP).get(tenant, id) as RelationshipRow | undefined;
  if (stored === undefined) return false;
  const to = Math.max(at, stored.valid_from);
  commit(database, () => {
    database.statement(KEEP_RELATIONSHIP).run(to, tenant, id);
    database.statement(DELETE_RELATIONSHIP).run(tenant, id);
  });
  endRelationship(topology, endsOf(stored), to);
  return true;
}
