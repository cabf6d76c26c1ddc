/** Parts of a graph: some of its nodes, and the pairs among them. */
import { firstItem, float64At, int32At, itemAt } from '#domain/known.ts';
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
function components(nodes: number, { count, one, other }: Pairs): Int32Array {
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

export interface GraphPart {
  /** In ascending order. */
  readonly nodes: readonly number[];
  /** Places in the pairs of the whole graph. */
  readonly pairs: readonly number[];
}
interface Growing {
  readonly nodes: number[];
  readonly pairs: number[];
}

/** Components of two nodes or more, in the order of their first nodes. */
export function componentParts(nodes: number, pairs: Pairs): GraphPart[] {
  const roots = components(nodes, pairs);
  const byRoot = new Map<number, Growing>();
  for (let pair = 0; pair < pairs.count; pair++) {
    const root = int32At(roots, int32At(pairs.one, pair));
    const part = byRoot.get(root);
    if (part === undefined) byRoot.set(root, { nodes: [], pairs: [pair] });
    else part.pairs.push(pair);
  }
  for (let node = 0; node < nodes; node++) {
    byRoot.get(int32At(roots, node))?.nodes.push(node);
  }
  return [...byRoot.values()].sort((a, b) => firstItem(a.nodes) - firstItem(b.nodes));
}

/** The part as a graph of its own, its nodes numbered from 0. `places`: work space, one entry per node of the whole graph. */
export function ownPairs({ nodes, pairs: own }: GraphPart, pairs: Pairs, places: Int32Array): Pairs {
  const count = own.length;
  const made = { count, one: new Int32Array(count), other: new Int32Array(count), weight: new Float64Array(count) };
  for (let place = 0; place < nodes.length; place++) {
    places[itemAt(nodes, place)] = place;
  }
  for (let at = 0; at < count; at++) {
    const pair = itemAt(own, at);
    made.one[at] = int32At(places, int32At(pairs.one, pair));
    made.other[at] = int32At(places, int32At(pairs.other, pair));
    made.weight[at] = float64At(pairs.weight, pair);
  }
  return made;
}

/** The part cut along communities: pairs between two of them are in none. `found`: the community of each node of `own`, from 0. */
export function cutApart(part: GraphPart, own: Pairs, found: Int32Array): GraphPart[] {
  const parts: Growing[] = [];
  for (const [place, node] of part.nodes.entries()) {
    const community = int32At(found, place);
    if (community === parts.length) parts.push({ nodes: [], pairs: [] });
    itemAt(parts, community).nodes.push(node);
  }
  for (const [at, pair] of part.pairs.entries()) {
    const community = int32At(found, int32At(own.one, at));
    if (community === found[int32At(own.other, at)]) itemAt(parts, community).pairs.push(pair);
  }
  return parts;
}
