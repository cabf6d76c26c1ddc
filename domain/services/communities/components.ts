import { int32At } from '#domain/known.ts';
import { numbersTo } from './estate.ts';
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
export function components(nodes: number, { count, one, other }: Pairs): Int32Array {
  const parents = numbersTo(nodes);
  for (let pair = 0; pair < count; pair++) {
    const [a, b] = [rootOf(parents, int32At(one, pair)), rootOf(parents, int32At(other, pair))];
    if (a !== b) parents[Math.max(a, b)] = Math.min(a, b);
  }
  for (let node = 0; node < nodes; node++) {
    parents[node] = rootOf(parents, node);
  }
  return parents;
}
