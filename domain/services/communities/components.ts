import { int32At } from '#domain/columns.ts';
import { numbersTo, Pace } from './estate.ts';
import type { Pairs } from './weigh-links.ts';

const rootOf = (parents: Int32Array, node: number): number => {
  let at = node;
  while (parents[at] !== at) {
    parents[at] = int32At(parents, int32At(parents, at));
    at = int32At(parents, at);
  }
  return at;
};

/** The smallest node of each node's component. */
export function* components(nodes: number, { count, one, other }: Pairs): Generator<void, Int32Array> {
  const pace = new Pace();
  const parents = numbersTo(nodes);
  for (let pair = 0; pair < count; pair++) {
    const [a, b] = [rootOf(parents, int32At(one, pair)), rootOf(parents, int32At(other, pair))];
    if (a !== b) parents[Math.max(a, b)] = Math.min(a, b);
    if (pace.isOver(4)) yield;
  }
  for (let node = 0; node < nodes; node++) {
    parents[node] = rootOf(parents, node);
    if (pace.isOver()) yield;
  }
  return parents;
}
