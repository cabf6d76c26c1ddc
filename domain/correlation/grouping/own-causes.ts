import type { Arrival } from '#domain/correlation/records.ts';
import { leaderOf } from '#domain/correlation/root-cause/candidate.ts';
import type { Leader } from '#domain/correlation/root-cause/causes.ts';
import type { NearCi } from '#domain/topology/near.ts';
import { indexCauses, type OpenGroup } from './groups.ts';

/**
 * A cause is a group's own when it explains this share of its other CIs, and one at least; measured on simulated
 * infrastructures.
 */
const EXPLAINED = 0.3;

const ownCauseOf = (group: OpenGroup): Leader | null => {
  indexCauses(group);
  const leader = leaderOf(group.causes, group);
  return leader !== null && leader.explained >= Math.max(1, EXPLAINED * (leader.cis - 1)) ? leader : null;
};

const isAbove = (upstream: readonly NearCi[], ciId: string | null): boolean => upstream.some(({ ci }) => ci === ciId);

/**
 * True if two groups are two faults, which an arrival on a CI affected by both does not join: each has its own cause,
 * neither is above the other, and the arrival is not above both.
 */
export const areTwoFaults = (a: OpenGroup, b: OpenGroup, { ciId }: Arrival): boolean => {
  const one = ownCauseOf(a);
  const other = one && ownCauseOf(b);
  if (!one || !other || one.ciId === other.ciId) return false;
  if (isAbove(one.upstream, other.ciId) || isAbove(other.upstream, one.ciId)) return false;
  return !isAbove(one.upstream, ciId) || !isAbove(other.upstream, ciId);
};
