import type { Candidate, Group } from '#domain/correlation/records.ts';
import type { Ports } from '#domain/ports/ports.ts';
import type { Ci } from '#domain/topology/topology.ts';

/**
 * Returns the CI of a root cause that is named because of its parts, and has no event of its own; null: that of the
 * event counts.
 */
export const wholeIn = (candidate: Pick<Candidate, 'ciId' | 'byParts'> | null): string | null =>
  candidate?.byParts ? candidate.ciId : null;

/** These CIs of some groups, by id. */
export const wholesOf = async (
  { topology }: Pick<Ports, 'topology'>,
  tenant: string,
  groups: readonly Pick<Group, 'candidate'>[],
): Promise<ReadonlyMap<string, Ci>> => {
  const ids = new Set(groups.flatMap(({ candidate }) => wholeIn(candidate) ?? []));
  const found = ids.size === 0 ? [] : await topology.getCis(tenant, [...ids]);
  return new Map(found.map((ci) => [ci.id, ci]));
};
