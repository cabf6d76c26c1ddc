/** The history of one CI. */

import { Buffer } from 'node:buffer';
import { firstItem, itemAt } from '#domain/assert.ts';
import { invalid } from '#domain/fault.ts';
import type { Page } from '#domain/page.ts';
import type { ChangesPage } from '#domain/ports/topology/topology-history.ts';
import type { Ci, CiChange } from '#domain/topology/topology.ts';
import type { Run } from '#infra/neo4j/client/client.ts';
import { parsed } from '#infra/neo4j/client/read.ts';

/** One version, or the end of the last one: then `removal` is 1. */
interface VersionRow {
  readonly at: number;
  readonly revision: number;
  readonly removal: number;
  readonly by: string | null;
  readonly record: string;
}

const PAST = 'MATCH (p:CiPast {tenant: $tenant, id: $id})';
const VERSIONS = `CALL () {
    MATCH (c:Ci {tenant: $tenant, id: $id}) WHERE c.ended IS NULL
    RETURN c.valid_from AS at, c.revision AS revision, 0 AS removal, null AS by, c.record AS record
    UNION ALL ${PAST} RETURN p.valid_from AS at, p.revision AS revision, 0 AS removal, null AS by, p.record AS record
    UNION ALL ${PAST} WHERE p.removed = true
    RETURN p.valid_to AS at, p.revision AS revision, 1 AS removal, p.removed_by AS by, p.record AS record
  }`;
const BEFORE = `at < $at OR (at = $at AND (revision < $revision OR (revision = $revision AND removal < $removal)))`;
const PAGE = `${VERSIONS} WITH * WHERE ${BEFORE} RETURN at, revision, removal, by, record
  ORDER BY at DESC, revision DESC, removal DESC SKIP $offset LIMIT $limit`;
const COUNT = `${VERSIONS} RETURN count(*) AS total`;

type VersionPosition = Pick<VersionRow, 'at' | 'revision' | 'removal'>;
const START: VersionPosition = { at: Number.MAX_SAFE_INTEGER, revision: 0, removal: 0 };

const encode = ({ at, revision, removal }: VersionPosition): string =>
  Buffer.from(JSON.stringify([at, revision, removal])).toString('base64url');

function decode(cursor: string): VersionPosition {
  try {
    const position = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown;
    if (Array.isArray(position) && position.length === 3 && position.every(Number.isSafeInteger)) {
      const [at, revision, removal] = position as [number, number, number];
      return { at, revision, removal };
    }
  } catch {
    // Not JSON: handled below like any other text that is no cursor.
  }
  throw invalid('cursor', 'invalid cursor for this list');
}

/** `older` is the row before it in time. */
const changeOf = ({ at, removal, by, record }: VersionRow, older: VersionRow | undefined): CiChange => {
  const ci = parsed<Ci>(record);
  if (removal === 1) return { at, by, before: ci, after: null };
  const isFirst = older === undefined || older.removal === 1;
  return { at, by: ci.updatedBy, before: isFirst ? null : parsed<Ci>(older.record), after: ci };
};

/** Returns one row more than the page shows, which is compared with the last change. */
export async function listChanges(run: Run, tenant: string, id: string, page: ChangesPage): Promise<Page<CiChange>> {
  const { limit, offset = 0, cursor } = page;
  const from = cursor === undefined ? START : decode(cursor);
  const [rows, counted] = await Promise.all([
    run<VersionRow>(PAGE, { tenant, id, ...from, limit: limit + 1, offset }),
    run<{ total: number }>(COUNT, { tenant, id }),
  ]);
  return {
    items: rows.slice(0, limit).map((row, i) => changeOf(row, rows[i + 1])),
    total: firstItem(counted).total,
    nextCursor: rows.length > limit ? encode(itemAt(rows, limit - 1)) : null,
  };
}
