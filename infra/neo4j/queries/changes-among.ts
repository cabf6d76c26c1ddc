/** Changes of some CIs and of the relationships among them. */
import { firstItem, lastItem } from '#domain/assert.ts';
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
import type { Run } from '#infra/neo4j/client/client.ts';
import { parsed } from '#infra/neo4j/client/read.ts';

/** `by` is that of a removal. */
interface Row extends ChangePosition {
  readonly by: string | null;
  readonly record: string;
}

const ASKED = 'UNWIND $ciIds AS asked';
const NOW = `${ASKED} MATCH (v:Ci {tenant: $tenant, id: asked}) WHERE v.ended IS NULL`;
const PAST = `${ASKED} MATCH (v:CiPast {tenant: $tenant, id: asked}) WHERE`;
const edges = (type: string) => `${ASKED} MATCH (:Ci {tenant: $tenant, id: asked})-[v:${type}]->(t:Ci)
    WHERE t.id IN $ciIds AND v.ai = false AND`;
const BEGAN = 'v.valid_from >= $from AND v.valid_from <= $to';
const ENDED = 'v.valid_to >= $from AND v.valid_to <= $to';
const shown = (of: 0 | 1, at: string, removal: 0 | 1, by = 'null') =>
  `RETURN ${at} AS at, ${of} AS of, v.id AS id, v.revision AS revision, ${removal} AS removal, ${by} AS by, v.record AS record`;
/** A superseded version did not end its relationship; records of one id that were made at other times are others. */
const LAST = `NOT EXISTS { MATCH ()-[l:RELATES {tenant: $tenant, id: v.id}]->() WHERE l.created_at = v.created_at AND l.revision > v.revision }
    AND NOT EXISTS { MATCH ()-[l:RELATED {tenant: $tenant, id: v.id}]->() WHERE l.created_at = v.created_at AND l.revision > v.revision }`;
const CHANGES = `CALL () {
    ${NOW} AND ${BEGAN} ${shown(0, 'v.valid_from', 0)}
    UNION ALL ${PAST} ${BEGAN} ${shown(0, 'v.valid_from', 0)}
    UNION ALL ${PAST} v.removed = true AND ${ENDED} ${shown(0, 'v.valid_to', 1, 'v.removed_by')}
    UNION ALL ${edges('RELATES')} ${BEGAN} ${shown(1, 'v.valid_from', 0)}
    UNION ALL ${edges('RELATED')} ${BEGAN} ${shown(1, 'v.valid_from', 0)}
    UNION ALL ${edges('RELATED')} ${ENDED} AND ${LAST} ${shown(1, 'v.valid_to', 1)}
  }`;
/** Fields below the position, part by part. */
const BELOW = ['at', 'of', 'id', 'revision', 'removal'].reduceRight(
  (rest, part) => `(${part} < $position.${part} OR (${part} = $position.${part} AND ${rest}))`,
  'false',
);
const PAGE = `${CHANGES} WITH * WHERE ${BELOW}
  WITH * ORDER BY at DESC, of DESC, id DESC, revision DESC, removal DESC SKIP $offset LIMIT $limit
  RETURN at, of, id, revision, removal, by, record`;
const COUNT = `${CHANGES} RETURN count(*) AS total`;

/** A later record under an id began later than the one before. */
const earlier = (match: string) => `UNWIND $rows AS row CALL (row) {
    MATCH ${match} WHERE v.revision < row.revision AND v.valid_to <= row.at
    RETURN v.record AS record ORDER BY v.valid_to DESC, v.revision DESC LIMIT 1
  } RETURN row.place AS place, record`;
const EARLIER = [
  earlier('(v:CiPast {tenant: $tenant, id: row.id})'),
  earlier('()-[v:RELATED {tenant: $tenant, id: row.id}]->()'),
] as const;

/** The version before each row's, by its place. */
async function earlierOf(read: Run, tenant: string, shownRows: readonly Row[]): Promise<ReadonlyMap<number, string>> {
  const found = new Map<number, string>();
  for (const kind of [0, 1] as const) {
    const rows = shownRows
      .map(({ id, revision, at, of, removal }, place) => ({
        id,
        revision,
        at,
        place,
        isAsked: of === kind && removal === 0,
      }))
      .filter(({ isAsked }) => isAsked);
    if (rows.length === 0) continue;
    for (const { place, record } of await read<{ place: number; record: string }>(EARLIER[kind], { tenant, rows }))
      found.set(place, record);
  }
  return found;
}

const versions = <T>({ removal, record }: Row, before: string | undefined) =>
  removal === 1
    ? { before: parsed<T>(record), after: null }
    : { before: before === undefined ? null : parsed<T>(before), after: parsed<T>(record) };

function changeOf(row: Row, before: string | undefined): VersionChange {
  const { at } = row;
  if (row.of === 1) return { of: 'relationship', at, ...versions<Relationship>(row, before) };
  const own = versions<Ci>(row, before);
  return { of: 'ci', at, by: own.after?.updatedBy ?? row.by, ...own };
}

export async function listChangesAmong(
  read: Run,
  tenant: string,
  range: ChangeRange,
  { limit, offset = 0, cursor }: ChangesPage,
): Promise<Page<VersionChange>> {
  const position = cursor === undefined ? NEWEST : decodeChange(cursor);
  const asked = { tenant, ...range };
  const [rows, counted] = await Promise.all([
    read<Row>(PAGE, { ...asked, position, offset, limit: limit + 1 }),
    read<{ total: number }>(COUNT, asked),
  ]);
  const page = rows.slice(0, limit);
  const before = await earlierOf(read, tenant, page);
  return {
    items: page.map((row, place) => changeOf(row, before.get(place))),
    total: firstItem(counted).total,
    nextCursor: rows.length > limit ? encodeChange(lastItem(page)) : null,
  };
}

const REMOVED = `MATCH ()-[v:RELATED {tenant: $tenant}]->() WHERE ${ENDED} AND v.ai = false AND ${LAST}
  RETURN v.valid_to AS at, v.record AS record ORDER BY at DESC, v.id DESC LIMIT $limit`;

export async function listRemoved(
  read: Run,
  tenant: string,
  range: RemovedRange,
): Promise<readonly RemovedRelationship[]> {
  const rows = await read<Pick<Row, 'at' | 'record'>>(REMOVED, { tenant, ...range });
  return rows.map(({ at, record }) => ({ at, relationship: parsed<Relationship>(record) }));
}

const NAMES = `UNWIND $ids AS asked CALL (asked) {
    MATCH (c:Ci {tenant: $tenant, id: asked}) WHERE c.ended IS NULL RETURN c.name AS name, 2 AS rank, 0 AS ended, 0 AS revision
    UNION ALL MATCH (p:CiPast {tenant: $tenant, id: asked})
    RETURN p.record AS name, 1 AS rank, p.valid_to AS ended, p.revision AS revision
  } WITH asked, name, rank ORDER BY rank DESC, ended DESC, revision DESC
  WITH asked, collect({name: name, rank: rank})[0] AS last RETURN asked AS id, last.name AS name, last.rank AS rank`;

/** A deleted one has its name in its record. */
export async function lastNames(
  read: Run,
  tenant: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await read<{ id: string; name: string; rank: number }>(NAMES, { tenant, ids });
  return new Map(rows.map(({ id, name, rank }) => [id, rank === 2 ? name : parsed<Ci>(name).name]));
}
