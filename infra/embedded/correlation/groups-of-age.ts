import { itemAt } from '#domain/assert.ts';
import {
  GROUP_AGE_NAMES,
  GROUP_AGES,
  type GroupsOfAge,
  RESOLVED_SHOWN_MS,
} from '#domain/correlation/grouping/group-ages.ts';
import { GROUP_STATUSES } from '#domain/correlation/grouping/group-state.ts';
import type { RowReader } from '#infra/embedded/redo-log/connections.ts';

export interface CountGroupsByAge {
  readonly tenant: string;
  readonly now: number;
}

/** Place of the age in GROUP_AGE_NAMES: one for each bound that the group has passed. */
const BOUNDS = GROUP_AGE_NAMES.slice(1).map((age) => GROUP_AGES[age][0]);
const AGE = BOUNDS.map(() => '(s.first <= ?)').join(' + ');

/** Groups that are not over have an index of their own. */
const UNRESOLVED = `SELECT s.standing, ${AGE}, count(*) FROM grp_state s INDEXED BY grp_state_standing
  WHERE s.tenant = ? AND s.standing IN (0, 1) AND s.status IS NOT NULL GROUP BY 1, 2`;
/** Resolved groups are only read with an arrival within the time. */
const RESOLVED = `SELECT s.standing, ${AGE}, count(*) FROM grp g INDEXED BY grp_last
  CROSS JOIN grp_state s ON s.tenant = g.tenant AND s.id = g.id
  WHERE g.tenant = ? AND g.last >= ? AND g.status <> 'merged' AND s.standing = 2 AND s.status IS NOT NULL GROUP BY 1, 2`;

type AgeCount = readonly [standing: number, age: number, count: number];

export function groupsOfAge(reading: RowReader, { tenant, now }: CountGroupsByAge): GroupsOfAge[] {
  const bounds = BOUNDS.map((ms) => now - ms);
  const rows = [
    ...reading.arrays<AgeCount>(UNRESOLVED).all(...bounds, tenant),
    ...reading.arrays<AgeCount>(RESOLVED).all(...bounds, tenant, now - RESOLVED_SHOWN_MS),
  ];
  return rows.map(([standing, age, count]) => ({
    status: itemAt(GROUP_STATUSES, standing),
    age: itemAt(GROUP_AGE_NAMES, age),
    count,
  }));
}
