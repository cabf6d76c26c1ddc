/** Changes of some CIs and of the relationships among them. Plain functions of a connection: any thread can run them. */

import { itemAt } from '#domain/assert.ts';
import type { Page } from '#domain/page.ts';
import type {
  ChangeRange,
  ChangesPage,
  RemovedRange,
  RemovedRelationship,
  VersionChange,
} from '#domain/ports/topology/topology-history.ts';
import type { Ci, Relationship } from '#domain/topology/topology.ts';
import { type ChangePosition, decodeChange, encodeChange, NEWEST } from '#infra/change-cursor.ts';
import { onlyRow } from '#infra/embedded/sqlite/rows.ts';
import {
  CI_COLUMNS,
  type CiTableRow,
  ciOf,
  RELATIONSHIP_COLUMNS,
  type RelationshipRow,
  relationshipOf,
  type Statements,
} from '#infra/embedded/topology/rows.ts';

export interface FindChangesAmong {
  readonly tenant: string;
  readonly range: ChangeRange;
  readonly page: ChangesPage;
}
export interface FindRemoved {
  readonly tenant: string;
  readonly range: RemovedRange;
}
export interface FindNames {
  readonly tenant: string;
  readonly ciIds: readonly string[];
}
/** `by` of a removal. */
type TopologyChangeRow = ChangePosition & { readonly by: string | null };

const ASKED = '(SELECT value FROM json_each(?2))';
const AMONG = `source IN ${ASKED} AND target IN ${ASKED} AND ai = 0`;
const BEGAN = 'valid_from BETWEEN ?3 AND ?4';
/** A superseded version did not end its relationship. */
const NO_LATER = ['relationship', 'relationship_past']
  .map(
    (table) => `NOT EXISTS (SELECT 1 FROM ${table} l WHERE l.tenant = p.tenant AND l.id = p.id
      AND l.created_at = p.created_at AND l.revision > p.revision)`,
  )
  .join(' AND ');
const CHANGES = `SELECT valid_from AS at, 0 AS "of", id, revision, 0 AS removal, NULL AS "by"
    FROM ci WHERE tenant = ?1 AND id IN ${ASKED} AND ${BEGAN}
  UNION ALL SELECT valid_from, 0, id, revision, 0, NULL
    FROM ci_past WHERE tenant = ?1 AND id IN ${ASKED} AND valid_to >= ?3 AND ${BEGAN}
  UNION ALL SELECT valid_to, 0, id, revision, 1, removed_by
    FROM ci_past WHERE tenant = ?1 AND id IN ${ASKED} AND valid_to BETWEEN ?3 AND ?4 AND removed = 1
  UNION ALL SELECT valid_from, 1, id, revision, 0, NULL
    FROM relationship INDEXED BY sqlite_autoindex_relationship_1 WHERE tenant = ?1 AND ${AMONG} AND ${BEGAN}
  UNION ALL SELECT valid_from, 1, id, revision, 0, NULL FROM relationship_past INDEXED BY relationship_past_source
    WHERE tenant = ?1 AND ${AMONG} AND valid_to >= ?3 AND ${BEGAN}
  UNION ALL SELECT valid_to, 1, id, revision, 1, NULL FROM relationship_past p INDEXED BY relationship_past_source
    WHERE tenant = ?1 AND ${AMONG} AND valid_to BETWEEN ?3 AND ?4 AND ${NO_LATER}`;
const PAGE = `SELECT * FROM (${CHANGES}) WHERE (at, "of", id, revision, removal) < (?5, ?6, ?7, ?8, ?9)
  ORDER BY at DESC, "of" DESC, id DESC, revision DESC, removal DESC LIMIT ?10 OFFSET ?11`;
const COUNT = `SELECT count(*) AS n FROM (${CHANGES})`;

interface VersionTable<R, T> {
  readonly table: string;
  readonly columns: string;
  readonly of: (row: R) => T;
}
const CI: VersionTable<CiTableRow, Ci> = { table: 'ci', columns: CI_COLUMNS, of: ciOf };
const RELATIONSHIP: VersionTable<RelationshipRow, Relationship> = {
  table: 'relationship',
  columns: RELATIONSHIP_COLUMNS,
  of: relationshipOf,
};

interface Versions<T> {
  readonly before: T | null;
  readonly after: T | null;
}

/**
 * Returns the version that began or ended then, and the one before it; a later record under the same id is another one.
 */
function versionsOf<R extends { readonly created_at: number }, T>(
  db: Statements,
  tenant: string,
  { id, revision, at, removal }: TopologyChangeRow,
  { table, columns, of }: VersionTable<R, T>,
): Versions<T> {
  const past = `SELECT ${columns} FROM ${table}_past WHERE tenant = ?1 AND id = ?2`;
  const began = `SELECT ${columns} FROM ${table} WHERE tenant = ?1 AND id = ?2 AND revision = ?3 AND valid_from = ?4
    UNION ALL ${past} AND revision = ?3 AND valid_from = ?4 LIMIT 1`;
  const sql = removal === 1 ? `${past} AND revision = ?3 AND valid_to = ?4` : began;
  const own = onlyRow(db.statement<R>(sql).get(tenant, id, revision, at));
  if (removal === 1) return { before: of(own), after: null };
  const earlier = db
    .statement<R>(`${past} AND revision < ?3 AND valid_to <= ?4 AND created_at = ?5 ORDER BY revision DESC LIMIT 1`)
    .get(tenant, id, revision, at, own.created_at);
  return { before: earlier === undefined ? null : of(earlier), after: of(own) };
}

function changeOf(db: Statements, tenant: string, row: TopologyChangeRow): VersionChange {
  const { at } = row;
  if (row.of === 1) return { of: 'relationship', at, ...versionsOf(db, tenant, row, RELATIONSHIP) };
  const versions = versionsOf(db, tenant, row, CI);
  return { of: 'ci', at, by: versions.after?.updatedBy ?? row.by, ...versions };
}

export function listChangesAmong(db: Statements, { tenant, range, page }: FindChangesAmong): Page<VersionChange> {
  const { limit, offset = 0, cursor } = page;
  const { at, of, id, revision, removal } = cursor === undefined ? NEWEST : decodeChange(cursor);
  const asked = [tenant, JSON.stringify(range.ciIds), range.from, range.to] as const;
  const rows = db.statement<TopologyChangeRow>(PAGE).all(...asked, at, of, id, revision, removal, limit + 1, offset);
  const { n: total } = db.statement(COUNT).get(...asked) as { n: number };
  return {
    items: rows.slice(0, limit).map((row) => changeOf(db, tenant, row)),
    total,
    nextCursor: rows.length > limit ? encodeChange(itemAt(rows, limit - 1)) : null,
  };
}

export function listRemoved(
  db: Statements,
  { tenant, range: { from, to, limit } }: FindRemoved,
): readonly RemovedRelationship[] {
  const rows = db
    .statement<RelationshipRow & { readonly at: number }>(
      `SELECT ${RELATIONSHIP_COLUMNS}, valid_to AS at FROM relationship_past p INDEXED BY relationship_past_end
       WHERE tenant = ?1 AND valid_to BETWEEN ?2 AND ?3 AND ai = 0 AND ${NO_LATER} ORDER BY valid_to DESC, id DESC LIMIT ?4`,
    )
    .all(tenant, from, to, limit);
  return rows.map((row) => ({ at: row.at, relationship: relationshipOf(row) }));
}

export function lastNames(db: Statements, { tenant, ciIds }: FindNames): ReadonlyMap<string, string> {
  const rows = db
    .statement<{ id: string; name: string | null }>(
      `SELECT value AS id, coalesce((SELECT name FROM ci WHERE tenant = ?1 AND id = value),
         (SELECT name FROM ci_past WHERE tenant = ?1 AND id = value ORDER BY valid_to DESC, revision DESC LIMIT 1)) AS name
       FROM json_each(?2)`,
    )
    .all(tenant, JSON.stringify(ciIds));
  return new Map(rows.flatMap(({ id, name }) => (name === null ? [] : [[id, name] as const])));
}
