import { float64At, int32At } from '#domain/known.ts';
import type { Pairs } from './weigh-links.ts';

/** Share of the weight that lies within communities, beyond what chance would put there: 0 for one community, below 1. */
export function modularity(nodes: number, { count, one, other, weight }: Pairs, found: Int32Array): number {
  const totals = new Float64Array(nodes);
  let [inner, all] = [0, 0];
  for (let pair = 0; pair < count; pair++) {
    const [a, b] = [int32At(found, int32At(one, pair)), int32At(found, int32At(other, pair))];
    totals[a] = float64At(totals, a) + float64At(weight, pair);
    totals[b] = float64At(totals, b) + float64At(weight, pair);
    all += float64At(weight, pair);
    if (a === b) inner += float64At(weight, pair);
  }
  return inner / all - totals.reduce((sum, total) => sum + (total / (2 * all)) ** 2, 0);
}
