import { floatAt, intAt } from '#domain/columns.ts';
import { Pace } from './estate.ts';
import type { Pairs } from './weigh-links.ts';

/** Share of the weight that lies within communities, beyond what chance would put there: 0 for one community, below 1. */
export function* modularity(
  nodes: number,
  { count, one, other, weight }: Pairs,
  found: Int32Array,
): Generator<void, number> {
  const pace = new Pace();
  const totals = new Float64Array(nodes);
  let [inner, all] = [0, 0];
  for (let pair = 0; pair < count; pair++) {
    const [a, b] = [intAt(found, intAt(one, pair)), intAt(found, intAt(other, pair))];
    totals[a] = floatAt(totals, a) + floatAt(weight, pair);
    totals[b] = floatAt(totals, b) + floatAt(weight, pair);
    all += floatAt(weight, pair);
    if (a === b) inner += floatAt(weight, pair);
    if (pace.isOver(2)) yield;
  }
  return inner / all - totals.reduce((sum, total) => sum + (total / (2 * all)) ** 2, 0);
}
