/** CIs that so much hangs on that they tell nothing of what it is for. */

import { int32At, itemAt } from '#domain/known.ts';
import type { Estate } from './estate.ts';
import { isCarrier, linkKind } from './links.ts';
import { PairTable } from './pair-table.ts';

export interface Hub {
  /** Place in the list of CIs. */
  readonly ci: number;
  readonly why: 'carries others' | 'many neighbours';
  readonly neighbours: number;
}

const LEAST_DEGREE = 20;
/** More neighbours than this make a hub in an estate of so many CIs. */
const hubFrom = (cis: number): number => Math.max(LEAST_DEGREE, 2 * Math.sqrt(cis));

/** Different CIs at the other ends of links that say something; a link is counted at both of its ends. */
function neighboursOf({ cis, links }: Estate): Int32Array {
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

/** In the order of CIs. */
export function findHubs(estate: Estate): Hub[] {
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
