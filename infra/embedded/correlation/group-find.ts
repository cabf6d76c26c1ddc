import type { Group } from '#domain/correlation/records.ts';
import type { Page, PageRequest } from '#domain/page.ts';
import type { GroupFilter, GroupSort } from '#domain/ports/correlation-store.ts';
import type { RowReader } from '#infra/embedded/redo-log/connections.ts';
import { onlyRow } from '#infra/embedded/sqlite/rows.ts';
import { all, type Sql, sql } from '#infra/embedded/sqlite/sql.ts';
import { decodeCursor, encodeCursor } from '#infra/page-cursor.ts';

export interface FindGroups {
  readonly tenant: string;
  readonly filter: GroupFilter;
  readonly page: PageRequest<GroupSort>;
}

const statusIs = ({ status, quietBefore = Number.MIN_SAFE_INTEGER }: GroupFilter): Sql[] => {
  if (status === undefined) return [];
  if (status === 'open') return [sql("status = 'open' AND last >= ?", quietBefore)];
  return [sql("(status = 'closed' OR (status = 'open' AND last < ?))", quietBefore)];
};

const conditionsOf = (tenant: string, { from, to, ...filter }: GroupFilter): Sql[] => [
  sql("tenant = ? AND status <> 'merged'", tenant),
  ...statusIs(filter),
  ...(from === undefined ? [] : [sql('last >= ?', from)]),
  ...(to === undefined ? [] : [sql('first <= ?', to)]),
];

/** Returns unmerged groups; merged ones are shown as the group they were merged into. */
export function findGroups(reading: RowReader, { tenant, filter, page }: FindGroups): Page<Group> {
  const { sort, order, limit, offset = 0, cursor } = page;
  const counted = all(conditionsOf(tenant, filter));
  const [total] = onlyRow(
    reading.arrays<[number]>(`SELECT count(*) FROM grp WHERE ${counted.text}`).get(...counted.values),
  );
  const op = order === 'asc' ? '>' : '<';
  const end = cursor === undefined ? null : decodeCursor(sort, order, cursor);
  const where = all([
    ...conditionsOf(tenant, filter),
    ...(end === null ? [] : [sql(`(${sort}, id) ${op} (?, ?)`, end.key, end.id)]),
  ]);
  const rows = reading
    .arrays<[body: string, key: number, id: string]>(
      `SELECT body, ${sort}, id FROM grp INDEXED BY grp_${sort} WHERE ${where.text}
       ORDER BY ${sort} ${order}, id ${order} LIMIT ? OFFSET ?`,
    )
    .all(...where.values, limit + 1, end === null ? offset : 0);
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return {
    items: shown.map(([body]) => JSON.parse(body) as Group),
    total,
    nextCursor:
      last === undefined || rows.length <= limit ? null : encodeCursor(sort, order, { key: last[1], id: last[2] }),
  };
}
