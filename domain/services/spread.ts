/** Spread of a loss from the lost CI to its dependents. */
import { lossOf, type Need } from '#domain/topology/graph/redundancy.ts';
import { type Relationship, redundancyOf } from '#domain/topology/topology.ts';

/** A relationship, as far as a loss may travel over it: from target to source. */
export type Dependence = Pick<Relationship, 'source' | 'target' | 'attributes'>;

export interface Spreading {
  /** Number of relationships that a loss crosses. */
  readonly hops: number;
  /** The share of a loss that passes one relationship, 0 to 1. */
  readonly carried: number;
  readonly absent?: ReadonlySet<string>;
}

/**
 * Returns the loss per CI, 0 to 1, after `own` losses have spread. CIs that lose nothing are left out; cycles do no
 * harm.
 */
export const spread = (
  own: ReadonlyMap<string, number>,
  dependences: readonly Dependence[],
  { hops, carried, absent }: Spreading,
): ReadonlyMap<string, number> => {
  const needOf = (one: Dependence, losses: ReadonlyMap<string, number>): Need => {
    const redundancy = redundancyOf(one);
    return { redundancy, loss: redundancy !== null && absent?.has(one.target) ? 1 : (losses.get(one.target) ?? 0) };
  };
  const needs = Map.groupBy(dependences, ({ source }) => source);
  let losses = own;
  for (let hop = 0; hop < hops; hop++) {
    const next = new Map(own);
    for (const [ci, its] of needs) {
      const before = losses;
      const loss = carried * lossOf(its.map((one) => needOf(one, before)));
      if (loss > (own.get(ci) ?? 0)) next.set(ci, loss);
    }
    losses = next;
  }
  return losses;
};
