/** CIs and relationships by id. Plain functions of a connection and plain arguments: any thread can run them. */
import type { Ends } from '#domain/ports/topology/topology-queries.ts';
import { type Ci, type Relationship, relationshipType } from '#domain/topology/topology.ts';
import {
  CI_COLUMNS,
  type CiTableRow,
  ciOf,
  RELATIONSHIP_COLUMNS,
  type RelationshipRow,
  relationshipOf,
  type Statements,
} from './rows.ts';

const inOrder = <T extends { readonly id: string }>(ids: readonly string[], found: readonly T[]): T[] => {
  const byId = new Map(found.map((record) => [record.id, record]));
  return ids.flatMap((id) => byId.get(id) ?? []);
};

/** Returns CIs in the order of the ids; unknown ones are left out. */
export function readCis(db: Statements, tenant: string, ids: readonly string[]): Ci[] {
  const rows = db
    .statement<CiTableRow>(`SELECT ${CI_COLUMNS} FROM ci WHERE tenant = ? AND id IN (SELECT value FROM json_each(?))`)
    .all(tenant, JSON.stringify(ids));
  return inOrder(ids, rows.map(ciOf));
}

/** Returns the state at `asOf`, literally: before its creation and after its removal there is no CI. */
export function readCisAsOf(db: Statements, tenant: string, ids: readonly string[], asOf: number): Ci[] {
  const rows = db
    .statement<CiTableRow>(
      `SELECT ${CI_COLUMNS} FROM ci WHERE tenant = ?1 AND id IN (SELECT value FROM json_each(?2)) AND valid_from <= ?3
       UNION ALL
       SELECT ${CI_COLUMNS} FROM ci_past WHERE tenant = ?1 AND id IN (SELECT value FROM json_each(?2)) AND valid_from <= ?3 AND valid_to > ?3`,
    )
    .all(tenant, JSON.stringify(ids), asOf);
  return inOrder(ids, rows.map(ciOf));
}

/** Returns relationships in the order of the ends. */
export function readBetween(db: Statements, tenant: string, ends: readonly Ends[]): (Relationship | null)[] {
  const read = db.statement<RelationshipRow>(
    `SELECT ${RELATIONSHIP_COLUMNS} FROM relationship WHERE tenant = ? AND source = ? AND target = ? AND type = ?`,
  );
  return ends.map(({ source, target, type }) => {
    const row = read.get(tenant, source, target, relationshipType(type));
    return row === undefined ? null : relationshipOf(row);
  });
}

export function readRelationships(db: Statements, tenant: string, ids: readonly string[]): Relationship[] {
  const rows = db
    .statement<RelationshipRow>(
      `SELECT ${RELATIONSHIP_COLUMNS} FROM relationship INDEXED BY relationship_id WHERE tenant = ? AND id IN (SELECT value FROM json_each(?))`,
    )
    .all(tenant, JSON.stringify(ids));
  return inOrder(ids, rows.map(relationshipOf));
}

/** Returns the state at `asOf`, literally. */
export function readRelationshipAsOf(db: Statements, tenant: string, id: string, asOf: number): Relationship | null {
  const row = db
    .statement(
      `SELECT ${RELATIONSHIP_COLUMNS} FROM relationship INDEXED BY relationship_id WHERE tenant = ?1 AND id = ?2 AND valid_from <= ?3
       UNION ALL
       SELECT ${RELATIONSHIP_COLUMNS} FROM relationship_past INDEXED BY relationship_past_id
       WHERE tenant = ?1 AND id = ?2 AND valid_from <= ?3 AND valid_to > ?3`,
    )
    .get(tenant, id, asOf) as RelationshipRow | undefined;
  return row === undefined ? null : relationshipOf(row);
}
