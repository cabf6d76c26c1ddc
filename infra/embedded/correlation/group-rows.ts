import { assertDefined } from '#domain/assert.ts';
import {
  GROUP_STATUSES,
  type ListedGroup,
  NAME_KINDS,
  type NameKind,
} from '#domain/correlation/grouping/group-state.ts';
import { MIN_ON } from '#domain/correlation/grouping/urgency.ts';
import { severityRank } from '#domain/event/event.ts';
import type { Page, PageRequest } from '#domain/page.ts';
import type { GroupRowFilter, GroupRowSort } from '#domain/ports/events/group-rows.ts';
import { conditionsOf as eventConditions, slim } from '#infra/embedded/events/filter.ts';
import { GROUPED } from '#infra/embedded/facets/rows.ts';
import type { RowReader } from '#infra/embedded/redo-log/connections.ts';
import { onlyRow } from '#infra/embedded/sqlite/rows.ts';
import { all, type Sql, sql } from '#infra/embedded/sqlite/sql.ts';
import { decodeCursor, encodeCursor } from '#infra/page-cursor.ts';
import { ROW_COLUMNS, rowOf, type StoredGroupRow } from './group-row.ts';

export interface FindGroupRows {
  readonly tenant: string;
  readonly filter: GroupRowFilter;
  readonly page: PageRequest<GroupRowSort>;
}

/** Members with the words that are searched for. */
const MAX_FOUND = 10_000;

const oneOf = (column: string, values: readonly (string | number)[]): Sql =>
  sql(`${column} IN (SELECT value FROM json_each(?))`, JSON.stringify(values));

const NAMED = ['service', 'source', 'host', 'ci'] as const satisfies readonly NameKind[];

const named = (tenant: string, filter: GroupRowFilter): Sql[] =>
  NAMED.flatMap((kind) => {
    const name = filter[kind];
    if (name === undefined) return [];
    const key = kind === 'ci' ? name : name.toLowerCase();
    const text = 's.id IN (SELECT grp FROM grp_name WHERE tenant = ? AND kind = ? AND key = ?)';
    return [sql(text, tenant, NAME_KINDS.indexOf(kind), key)];
  });

const growing = ({ growing: wanted, quietBefore = Number.MIN_SAFE_INTEGER }: GroupRowFilter): Sql[] => {
  if (wanted === undefined) return [];
  return [sql(`(s.status = 'open' AND s.last >= ?) = ?`, quietBefore, wanted ? 1 : 0)];
};

const anyOf = (ids: string): Sql =>
  sql('(s.assignee IN (SELECT value FROM json_each(?)) OR s.team IN (SELECT value FROM json_each(?)))', ids, ids);

const cared = ({ assignee, verdict }: GroupRowFilter): Sql[] => [
  ...(assignee === null ? [sql('s.assignee IS NULL AND s.team IS NULL')] : []),
  ...(assignee ? [anyOf(JSON.stringify([assignee].flat()))] : []),
  ...(verdict === undefined ? [] : [sql('s.verdict IS ?', verdict)]),
];

/**
 * Selects groups with a member that has all the words; of many such events the newest are checked. Null: there are no
 * words.
 */
const searched = (reading: RowReader, tenant: string, search: string): Sql | null => {
  const conditions = eventConditions(reading, tenant, { search });
  if (conditions.search === null) return null;
  const access = conditions.words === undefined ? 'search' : 'words';
  const { text, values } = assertDefined(
    slim(access, conditions, [sql(`f.flags & ${GROUPED} <> 0`)]),
    'slim form of a search',
  );
  const alias = 'SELECT a.grp FROM grp_alias a WHERE a.tenant = e.tenant AND a.alias = e.correlation_id';
  const seq = access === 'search' ? 'event_text.rowid' : 'f.seq';
  const newest = `SELECT ${seq} AS seq ${text} ORDER BY ${seq} DESC LIMIT ${MAX_FOUND}`;
  const [ids] = onlyRow(
    reading
      .arrays<[string]>(
        `SELECT json_group_array(DISTINCT coalesce((${alias}), e.correlation_id)) FROM (${newest}) w CROSS JOIN event e ON e.seq = w.seq
       WHERE e.correlation_id IS NOT NULL`,
      )
      .get(...values),
  );
  return sql('s.id IN (SELECT value FROM json_each(?))', ids);
};

/** Null: nothing can be found. */
const conditionsOf = (reading: RowReader, tenant: string, filter: GroupRowFilter): readonly Sql[] | null => {
  const { statuses, severities, hasOpen, from, to, search, ids } = filter;
  const words = search === undefined ? [] : [searched(reading, tenant, search)];
  if (words.includes(null)) return null;
  return [
    sql('s.tenant = ? AND s.status IS NOT NULL', tenant),
    ...(statuses === undefined
      ? []
      : [
          oneOf(
            's.standing',
            statuses.map((status) => GROUP_STATUSES.indexOf(status)),
          ),
        ]),
    ...(severities === undefined ? [] : [oneOf('s.worst', severities.map(severityRank))]),
    ...(hasOpen === undefined ? [] : [sql(`s.urgency ${hasOpen ? '>=' : '<'} ?`, MIN_ON)]),
    ...(ids === undefined ? [] : [oneOf('s.id', ids)]),
    ...growing(filter),
    ...named(tenant, filter),
    ...cared(filter),
    ...(from === undefined ? [] : [sql('s.last >= ?', from)]),
    ...(to === undefined ? [] : [sql('s.first <= ?', to)]),
    ...(words as Sql[]),
  ];
};

const JOINED = 's.tenant = g.tenant AND s.id = g.id';
/** `grp` has the indexes of the other sorts. */
const tablesOf = (sort: GroupRowSort): string =>
  sort === 'urgency'
    ? `grp_state s CROSS JOIN grp g ON ${JOINED}`
    : `grp g INDEXED BY grp_${sort} CROSS JOIN grp_state s ON ${JOINED} AND g.status <> 'merged'`;

/** Returns unmerged groups. */
export function findGroupRows(reading: RowReader, { tenant, filter, page }: FindGroupRows): Page<ListedGroup> {
  const conditions = conditionsOf(reading, tenant, filter);
  if (conditions === null) return { items: [], total: 0, nextCursor: null };
  const counted = all(conditions);
  const [total] = onlyRow(
    reading.arrays<[number]>(`SELECT count(*) FROM grp_state s WHERE ${counted.text}`).get(...counted.values),
  );
  const { sort, order, limit, offset = 0, cursor } = page;
  const key = sort === 'urgency' ? 's.urgency' : `g.${sort}`;
  const id = sort === 'urgency' ? 's.id' : 'g.id';
  const end = cursor === undefined ? null : decodeCursor(sort, order, cursor);
  const where = all([
    ...conditions,
    sql('g.tenant = ?', tenant),
    ...(end === null ? [] : [sql(`(${key}, ${id}) ${order === 'asc' ? '>' : '<'} (?, ?)`, end.key, end.id)]),
  ]);
  const rows = reading
    .arrays<[key: number, id: string, ...StoredGroupRow]>(
      `SELECT ${key}, ${id}, ${ROW_COLUMNS} FROM ${tablesOf(sort)} WHERE ${where.text}
       ORDER BY ${key} ${order}, ${id} ${order} LIMIT ? OFFSET ?`,
    )
    .all(...where.values, limit + 1, end === null ? offset : 0);
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return {
    items: shown.map(([, , ...row]) => rowOf(reading, row)),
    total,
    nextCursor:
      last === undefined || rows.length <= limit ? null : encodeCursor(sort, order, { key: last[0], id: last[1] }),
  };
}

/** Returns the row of an unmerged group. */
export function groupRow(reading: RowReader, tenant: string, id: string): ListedGroup | null {
  const row = reading
    .arrays(`SELECT ${ROW_COLUMNS} FROM grp_state s JOIN grp g ON ${JOINED} WHERE s.tenant = ? AND s.id = ?`)
    .get(tenant, id) as StoredGroupRow | undefined;
  return row === undefined ? null : rowOf(reading, row);
}
