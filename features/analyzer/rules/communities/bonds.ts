/** Connections among the CIs of each service, and among services. */

import { firstItem, int32At, itemAt } from '#domain/assert.ts';
import type { Infrastructure, InfrastructureLink } from './infrastructure.ts';
import { linkKind } from './links.ts';
import { PairTable } from './pair-table.ts';

export interface Bonds {
  readonly members: readonly number[];
  /** Links that count: among the members, to or from other services, and to or from hubs and CIs without a service. */
  readonly within: readonly InfrastructureLink[];
  readonly leaving: readonly InfrastructureLink[];
  readonly outside: readonly InfrastructureLink[];
  /** Pairs of CIs that the first two connect: several links between the same two are one connection. */
  readonly pairsWithin: number;
  readonly pairsLeaving: number;
  /** Pairs with CIs of other services, by the numbers of those. */
  readonly others: ReadonlyMap<number, number>;
}
interface BondsDraft {
  readonly members: number[];
  readonly within: InfrastructureLink[];
  readonly leaving: InfrastructureLink[];
  readonly outside: InfrastructureLink[];
  pairsWithin: number;
  pairsLeaving: number;
  readonly others: Map<number, number>;
}

function leave(bonds: BondsDraft | undefined, link: InfrastructureLink, other: number, isNewPair: boolean): void {
  if (bonds === undefined) return;
  if (other === -1) {
    bonds.outside.push(link);
    return;
  }
  bonds.leaving.push(link);
  if (!isNewPair) return;
  bonds.pairsLeaving += 1;
  bonds.others.set(other, (bonds.others.get(other) ?? 0) + 1);
}

function stay(bonds: BondsDraft, link: InfrastructureLink, isNewPair: boolean): void {
  bonds.within.push(link);
  if (isNewPair) bonds.pairsWithin += 1;
}

/** The bonds of each service; members in the order of CIs. */
export function bondsOf({ cis, links }: Infrastructure, serviceOf: Int32Array, services: number): Bonds[] {
  const bonds = Array.from(
    { length: services },
    (): BondsDraft => ({
      members: [],
      within: [],
      leaving: [],
      outside: [],
      pairsWithin: 0,
      pairsLeaving: 0,
      others: new Map(),
    }),
  );
  const seen = new PairTable(cis.length, links.length);
  for (const [ci, service] of serviceOf.entries()) {
    bonds[service]?.members.push(ci);
  }
  for (const link of links) {
    const { source, target } = link;
    const [from, to] = [int32At(serviceOf, source), int32At(serviceOf, target)];
    if ((from === -1 && to === -1) || linkKind(link, itemAt(cis, target)) === null) continue;
    const isNewPair = source !== target && seen.put(source, target, 1);
    if (from === to) stay(itemAt(bonds, from), link, isNewPair);
    else {
      leave(bonds[from], link, to, isNewPair);
      leave(bonds[to], link, from, isNewPair);
    }
  }
  return bonds;
}

/** The member with the most links to other members; the first of equals. */
export function busiestOf({ members, within }: Bonds): number {
  const counts = new Map<number, number>();
  for (const { source, target } of within) for (const ci of [source, target]) counts.set(ci, (counts.get(ci) ?? 0) + 1);
  return members.reduce(
    (best, ci) => ((counts.get(ci) ?? 0) > (counts.get(best) ?? 0) ? ci : best),
    firstItem(members),
  );
}
