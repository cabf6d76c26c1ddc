/** What connects the CIs of each service, and services with one another. */
import { type Estate, type EstateLink, Pace } from './estate.ts';
import { linkKind } from './links.ts';

export interface Bonds {
  readonly members: readonly number[];
  /** Links that say something: among the members, to or from other services, and to or from hubs and CIs of no service. */
  readonly within: readonly EstateLink[];
  readonly leaving: readonly EstateLink[];
  readonly outside: readonly EstateLink[];
  /** Links to and from other services, by their numbers. */
  readonly others: ReadonlyMap<number, number>;
}
interface Growing {
  readonly members: number[];
  readonly within: EstateLink[];
  readonly leaving: EstateLink[];
  readonly outside: EstateLink[];
  readonly others: Map<number, number>;
}

function leave(bonds: Growing | undefined, link: EstateLink, other: number): void {
  if (other === -1) bonds?.outside.push(link);
  else {
    bonds?.leaving.push(link);
    bonds?.others.set(other, (bonds.others.get(other) ?? 0) + 1);
  }
}

/** The bonds of each service; members in the order of CIs. */
export function* bondsOf({ cis, links }: Estate, serviceOf: Int32Array, services: number): Generator<void, Bonds[]> {
  const pace = new Pace();
  const bonds = Array.from(
    { length: services },
    (): Growing => ({ members: [], within: [], leaving: [], outside: [], others: new Map() }),
  );
  for (const [ci, service] of serviceOf.entries()) {
    bonds[service]?.members.push(ci);
    if (pace.isOver(2)) yield;
  }
  for (const link of links) {
    if (pace.isOver(4)) yield;
    const [from, to] = [serviceOf[link.source]!, serviceOf[link.target]!];
    if ((from === -1 && to === -1) || linkKind(link, cis[link.target]!) === null) continue;
    if (from === to) bonds[from]!.within.push(link);
    else {
      leave(bonds[from], link, to);
      leave(bonds[to], link, from);
    }
  }
  return bonds;
}

/** The member with the most links to other members; the first of equals. */
export function busiestOf({ members, within }: Bonds): number {
  const counts = new Map<number, number>();
  for (const { source, target } of within) for (const ci of [source, target]) counts.set(ci, (counts.get(ci) ?? 0) + 1);
  return members.reduce((best, ci) => ((counts.get(ci) ?? 0) > (counts.get(best) ?? 0) ? ci : best), members[0]!);
}
