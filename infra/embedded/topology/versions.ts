/** The history of one CI. Plain functions of a connection and plain arguments: any thread can run them. */

import { itemAt } from '#domain/assert.ts';
import { invalid } from '#domain/fault.ts';
import type { Page } from '#domain/page.ts';
import type { ChangesPage } from '#domain/ports/topology/topology-history.ts';
import type { CiChange } from '#domain/topology/topology.ts';
import { CI_COLUMNS, type CiTableRow, ciOf, type Statements } from './rows.ts';

/** One version, or the end of the last one: then `removal` is 1. */
type VersionRow = CiTableRow & { readonly at: number; readonly removal: number; readonly removed_by: string | null };

const VERSIONS = `SELECT valid_from AS at, 0 AS removal, NULL AS removed_by, ${CI_COLUMNS} FROM ci WHERE tenant = ?1 AND id = ?2
  UNION ALL SELECT valid_from, 0, NULL, ${CI_COLUMNS} FROM ci_past WHERE tenant = ?1 AND id = ?2
  UNION ALL SELECT valid_to, 1, removed_by, ${CI_COLUMNS} FROM ci_past WHERE tenant = ?1 AND id = ?2 AND removed = 1`;

type VersionPosition = readonly [at: number, revision: number, removal: number];
const START: VersionPosition = [Number.MAX_SAFE_INTEGER, 0, 0];

const encode = ({ at, revision, removal }: VersionRow): string =>
  Buffer.from(JSON.stringify([at, revision, removal])).toString('base64url');

const isPosition = (value: unknown): value is VersionPosition =>
  Array.isArray(value) && value.length === START.length && value.every(Number.isSafeInteger);

function decode(cursor: string): VersionPosition {
  try {
    const position = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown;
    if (isPosition(position)) return position;
  } catch {
    // Not JSON: handled below like any other text that is no cursor.
  }
  throw invalid('cursor', 'invalid cursor for this list');
}

/** `older` is the row before it in time. */
const changeOf = (row: VersionRow, older: VersionRow | undefined): CiChange => {
  if (row.removal === 1) return { at: row.at, by: row.removed_by, before: ciOf(row), after: null };
  const isFirst = older === undefined || older.removal === 1;
  return { at: row.at, by: row.updated_by, before: isFirst ? null : ciOf(older), after: ciOf(row) };
};

/** Returns one row more than the page shows, which is compared with the last change. */
export function listChanges(db: Statements, tenant: string, id: string, page: ChangesPage): Page<CiChange> {
  const { limit, offset = 0, cursor } = page;
  const from = cursor === undefined ? START : decode(cursor);
  const rows = db
    .statement<VersionRow>(
      `SELECT * FROM (${VERSIONS}) WHERE (at, revision, removal) < (?3, ?4, ?5)
       ORDER BY at DESC, revision DESC, removal DESC LIMIT ?6 OFFSET ?7`,
    )
    .all(tenant, id, ...from, limit + 1, offset);
  const total = db.statement(`SELECT count(*) AS n FROM (${VERSIONS})`).get(tenant, id) as { n: number };
  return {
    items: rows.slice(0, limit).map((row, i) => changeOf(row, rows[i + 1])),
    total: total.n,
    nextCursor: rows.length > limit ? encode(itemAt(rows, limit - 1)) : null,
  };
}
