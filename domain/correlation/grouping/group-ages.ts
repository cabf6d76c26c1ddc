import type { GroupStatus } from './group-state.ts';

const HOUR_MS = 3_600_000;

/** Ages of groups, counted from the first event, in ms: from the first bound until before the second. */
export const GROUP_AGES = {
  '1h': [0, HOUR_MS],
  '4h': [HOUR_MS, 4 * HOUR_MS],
  '1d': [4 * HOUR_MS, 24 * HOUR_MS],
  '7d': [24 * HOUR_MS, 168 * HOUR_MS],
  older: [168 * HOUR_MS, Number.POSITIVE_INFINITY],
} as const satisfies Readonly<Record<string, readonly [from: number, until: number]>>;
export type GroupAge = keyof typeof GROUP_AGES;
export const GROUP_AGE_NAMES = Object.keys(GROUP_AGES) as readonly GroupAge[];

/** A resolved group is counted as long as its latest arrival is no older, ms. */
export const RESOLVED_SHOWN_MS = 24 * HOUR_MS;

/** Number of groups of one status and age. */
export interface GroupsOfAge {
  readonly status: GroupStatus;
  readonly age: GroupAge;
  readonly count: number;
}
