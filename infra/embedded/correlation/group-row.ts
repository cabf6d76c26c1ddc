import {
  type GroupCare,
  type ListedGroup,
  NAME_KINDS,
  NAMES,
  type NamesOf,
  standingOf,
} from '#domain/correlation/grouping/group-state.ts';
import type { Group } from '#domain/correlation/records.ts';
import type { Reading } from '#infra/embedded/journal/connections.ts';

/** Columns in the order in which `rowOf` reads them, of `grp_state s` and `grp g`. */
export const ROW_COLUMNS = `g.body, s.care, s.activity, s.acknowledged, s.suppressed,
  s.open0, s.open1, s.open2, s.open3, s.open4, s.all0, s.all1, s.all2, s.all3, s.all4`;

export type StoredGroupRow = readonly [
  ...[body: string, care: string | null, activity: number, acknowledged: number, suppressed: number],
  ...counts: number[],
];

/** The most frequent names of one kind, and how many there are. */
const namesOf = (reading: Reading, tenant: string, id: string, kind: number): NamesOf => {
  const rows = reading
    .arrays<[name: string, count: number]>(
      `SELECT coalesce(label, key), count(*) OVER () FROM grp_name WHERE tenant = ? AND grp = ? AND kind = ?
       ORDER BY n DESC, key LIMIT ?`,
    )
    .all(tenant, id, kind, NAMES);
  return { names: rows.map(([name]) => name), count: rows[0]?.[1] ?? 0 };
};

export const rowOf = (
  reading: Reading,
  [body, care, activity, acknowledged, suppressed, ...counts]: StoredGroupRow,
): ListedGroup => {
  const group = JSON.parse(body) as Group;
  const names = Object.fromEntries(
    NAME_KINDS.map((kind, place) => [kind, namesOf(reading, group.tenant, group.id, place)]),
  ) as ListedGroup['state']['names'];
  const standing = standingOf({ open: counts.slice(0, 5), all: counts.slice(5, 10), acknowledged, suppressed });
  const said = care === null ? {} : (JSON.parse(care) as GroupCare);
  return { group, care: said, state: { ...standing, names, lastActivity: Math.max(group.last, activity) } };
};
