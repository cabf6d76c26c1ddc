/** How far a loss travels from what is lost to what depends on it. */
import { lossOf, type Need } from '#domain/topology/graph/redundancy.ts';
import { type Relationship, redundancyOf } from '#domain/topology/topology.ts';

/** A relationship, as far as a loss may travel over it: from target to source. */
export type Dependence = Pick<Relationship, 'source' | 'target' | 'attributes'>;

export interface Spreading {
  /** How many relationships a loss travels. */
  readonly hops: number;
  /** The share of a loss that passes one relationship, 0 to 1. */
  readonly carried: number;
}

/** Loss per CI, 0 to 1, after `own` losses have travelled. CIs that lose nothing are left out; cycles do no harm. */
export const spread = (
  own: ReadonlyMap<string, number>,
  dependences: readonly Dependence[],
  { hops, carried }: Spreading,
): ReadonlyMap<string, number> => {
  const needs = Map.groupBy(dependences, ({ source }) => source);
  let losses = own;
  for (let hop = 0; hop < hops; hop++) {
    const next = new Map(own);
    for (const [ci, its] of needs) {
      const loss =
        carried *
        lossOf(its.map((one): Need => ({ redundancy: redundancyOf(one), loss: losses.get(one.target) ?? 0 })));
      if (loss > (own.get(ci) ?? 0)) next.set(ci, loss);
    }
    losses = next;
  }
  return losses;
};
