/** Finds CIs with too many dependents to identify a service. */

import { int32At, itemAt } from '#domain/assert.ts';
import type { Infrastructure } from './infrastructure.ts';
import { isCarrier, linkKind } from './links.ts';
import { PairTable } from './pair-table.ts';

export interface Hub {
  /** Place in the list of CIs. */
  readonly ci: number;
  readonly why: 'carries others' | 'many neighbours';
  readonly neighbours: number;
}

const MIN_DEGREE = 20;
/** Minimum degree of a hub in an environment of this size. */
const hubFrom = (cis: number): number => Math.max(MIN_DEGREE, 2 * Math.sqrt(cis));

/** Different CIs at the other ends of links that count; each link is counted at both ends. */
function neighboursOf({ cis, links }: Infrastructure): Int32Array {
  const degrees = new Int32Array(cis.length);
  const seen = new PairTable(cis.length, links.length);
  for (const link of links) {
    const { source, target } = link;
    if (source !== target && linkKind(link, itemAt(cis, target)) !== null && seen.put(source, target, 1)) {
      degrees[source] = int32At(degrees, source) + 1;
      degrees[target] = int32At(degrees, target) + 1;
    }
  }
  return degrees;
}

/** Hubs in the order of CIs. */
export function findHubs(estate: Infrastructure): Hub[] {
  const degrees = neighboursOf(estate);
  const most = hubFrom(estate.cis.length);
  const hubs: Hub[] = [];
  for (const [ci, one] of estate.cis.entries()) {
    const neighbours = int32At(degrees, ci);
    if (isCarrier(one)) hubs.push({ ci, why: 'carries others', neighbours });
    else if (neighbours > most) hubs.push({ ci, why: 'many neighbours', neighbours });
  }
  return hubs;
}
