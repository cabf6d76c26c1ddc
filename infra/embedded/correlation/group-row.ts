import {
  type GroupAssignment,
  type GroupCis,
  type ListedGroup,
  MAX_CIS,
  NAME_KINDS,
  NAMES,
  type NamesOf,
  standingOf,
  withMembers,
} from '#domain/correlation/grouping/group-state.ts';
import type { Group } from '#domain/correlation/records.ts';
import { SEVERITIES } from '#domain/event/event.ts';
import type { RowReader } from '#infra/embedded/redo-log/connections.ts';

const RANKS = SEVERITIES.map((_, rank) => rank);
const countsOf = (of: string): string => RANKS.map((rank) => `s.${of}${rank}`).join(', ');

/** Columns in the order in which `rowOf` reads them, of `grp_state s` and `grp g`. */
export const ROW_COLUMNS = `g.body, s.care, s.activity, s.hits, s.suppressed, ${countsOf('open')}, ${countsOf('ack')}, ${countsOf('all')}`;

export type StoredGroupRow = readonly [
  ...[body: string, care: string | null, activity: number, hits: number, suppressed: number],
  ...counts: number[],
];

/** The most frequent names of one kind, and how many there are. */
const namesOf = (reading: RowReader, tenant: string, id: string, kind: number): NamesOf => {
  const rows = reading
    .arrays<[name: string, count: number]>(
      `SELECT coalesce(label, key), count(*) OVER () FROM grp_name WHERE tenant = ? AND grp = ? AND kind = ?
       ORDER BY n DESC, key LIMIT ?`,
    )
    .all(tenant, id, kind, NAMES);
  return { names: rows.map(([name]) => name), count: rows[0]?.[1] ?? 0 };
};

/** CIs of members, those of members that are on first. */
const cisOf = (reading: RowReader, tenant: string, id: string): GroupCis => {
  const rows = reading
    .arrays<[key: string, lit: number]>(
      `SELECT key, lit > 0 FROM grp_name WHERE tenant = ? AND grp = ? AND kind = ${NAME_KINDS.indexOf('ci')}
       ORDER BY lit > 0 DESC, n DESC, key LIMIT ?`,
    )
    .all(tenant, id, MAX_CIS);
  return { all: rows.map(([key]) => key), on: rows.flatMap(([key, lit]) => (lit ? [key] : [])) };
};

export const rowOf = (
  reading: RowReader,
  [body, care, activity, hits, suppressed, ...counts]: StoredGroupRow,
): ListedGroup => {
  const group = JSON.parse(body) as Group;
  const { tenant, id } = group;
  const names = Object.fromEntries(
    NAME_KINDS.map((kind, place) => [kind, namesOf(reading, tenant, id, place)]),
  ) as ListedGroup['state']['names'];
  const said = care === null ? {} : (JSON.parse(care) as GroupAssignment);
  const [open, acknowledged, all] = [0, 1, 2].map((place) =>
    counts.slice(place * RANKS.length, (place + 1) * RANKS.length),
  ) as [number[], number[], number[]];
  const standing = standingOf({ open, acknowledged, all, suppressed }, said);
  const lastActivity = Math.max(group.last, activity);
  return {
    group: withMembers(group, standing.counts),
    care: said,
    state: { ...standing, hits, names, cis: cisOf(reading, tenant, id), lastActivity },
  };
};
