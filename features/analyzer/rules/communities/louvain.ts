/** Communities of a weighted graph by modularity (Blondel, Guillaume, Lambiotte, Lefebvre 2008). */
import { float64At, int32At } from '#domain/assert.ts';
import { numbersTo } from './infrastructure.ts';
import type { Pairs } from './weigh-links.ts';

/** Neighbours of node n stand from `first[n]` to `first[n + 1]`; each edge stands at both of its ends. */
interface Graph {
  readonly nodes: number;
  readonly first: Int32Array;
  readonly ends: Int32Array;
  readonly weights: Float64Array;
  /** Weight of the edges within what was merged into a node. */
  readonly loops: Float64Array;
}

/** Rounds over all nodes of a level; far fewer are needed. */
const MAX_ROUNDS = 64;
/** Less is the noise of sums. */
const MIN_GAIN = 1e-10;

function graphOf(nodes: number, { count, one, other, weight }: Pairs): Graph {
  const first = new Int32Array(nodes + 1);
  for (let pair = 0; pair < count; pair++) {
    first[int32At(one, pair) + 1] = int32At(first, int32At(one, pair) + 1) + 1;
    first[int32At(other, pair) + 1] = int32At(first, int32At(other, pair) + 1) + 1;
  }
  for (let node = 0; node < nodes; node++) first[node + 1] = int32At(first, node + 1) + int32At(first, node);
  const next = first.slice();
  const [ends, weights] = [new Int32Array(2 * count), new Float64Array(2 * count)];
  const put = (from: number, to: number, pair: number): void => {
    ends[int32At(next, from)] = to;
    weights[int32At(next, from)] = float64At(weight, pair);
    next[from] = int32At(next, from) + 1;
  };
  for (let pair = 0; pair < count; pair++) {
    put(int32At(one, pair), int32At(other, pair), pair);
    put(int32At(other, pair), int32At(one, pair), pair);
  }
  return { nodes, first, ends, weights, loops: new Float64Array(nodes) };
}

const degreesOf = ({ nodes, first, weights, loops }: Graph): Float64Array => {
  const degrees = new Float64Array(nodes);
  for (let node = 0; node < nodes; node++) {
    let sum = 2 * float64At(loops, node);
    for (let edge = int32At(first, node); edge < int32At(first, node + 1); edge++) sum += float64At(weights, edge);
    degrees[node] = sum;
  }
  return degrees;
};

/** Nodes in an order that is drawn, and the same for the same seed (xorshift). */
function drawnOrder(nodes: number, seed: number): Int32Array {
  const order = numbersTo(nodes);
  let state = seed | 1;
  for (let last = nodes - 1; last > 0; last--) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    const at = (state >>> 0) % (last + 1);
    const kept = int32At(order, last);
    order[last] = int32At(order, at);
    order[at] = kept;
  }
  return order;
}

/** Sums of weights by community; empty again after each use. */
class Sums {
  readonly by: Float64Array;
  readonly met: Int32Array;
  count = 0;

  constructor(communities: number) {
    this.by = new Float64Array(communities);
    this.met = new Int32Array(communities);
  }
  add(community: number, weight: number): void {
    if (this.by[community] === 0) this.met[this.count++] = community;
    this.by[community] = float64At(this.by, community) + weight;
  }
  clear(): void {
    for (let i = 0; i < this.count; i++) this.by[int32At(this.met, i)] = 0;
    this.count = 0;
  }
}

/** Moves nodes to the neighbouring community that gains most, until none gains. Null when none has moved. */
function moveNodes(graph: Graph, seed: number): Int32Array | null {
  const { nodes, first, ends, weights } = graph;
  const degrees = degreesOf(graph);
  const all = degrees.reduce((sum, degree) => sum + degree, 0);
  const totals = degrees.slice();
  const communities = numbersTo(nodes);
  const toward = new Sums(nodes);
  const order = drawnOrder(nodes, seed);
  let [hasMoved, again] = [false, all > 0];
  for (let round = 0; again && round < MAX_ROUNDS; round++) {
    again = false;
    for (const node of order) {
      const [own, degree] = [int32At(communities, node), float64At(degrees, node)];
      for (let edge = int32At(first, node); edge < int32At(first, node + 1); edge++)
        toward.add(int32At(communities, int32At(ends, edge)), float64At(weights, edge));
      totals[own] = float64At(totals, own) - degree;
      const gainOf = (community: number): number =>
        float64At(toward.by, community) - (float64At(totals, community) * degree) / all;
      let [best, most] = [own, gainOf(own) + MIN_GAIN];
      for (let i = 0; i < toward.count; i++) {
        const community = int32At(toward.met, i);
        const gain = gainOf(community);
        if (gain > most) [best, most] = [community, gain];
      }
      totals[best] = float64At(totals, best) + degree;
      if (best !== own) {
        communities[node] = best;
        hasMoved = true;
        again = true;
      }
      toward.clear();
    }
  }
  return hasMoved ? communities : null;
}

interface Merged {
  readonly graph: Graph;
  /** Target node of each merged node. */
  readonly into: Int32Array;
}

/** Communities as numbers from 0, in the order of their first nodes. */
function numbered(communities: Int32Array): { readonly into: Int32Array; readonly count: number } {
  const numbers = new Int32Array(communities.length).fill(-1);
  let count = 0;
  const into = communities.map((community) => {
    if (numbers[community] === -1) numbers[community] = count++;
    return int32At(numbers, community);
  });
  return { into, count };
}

/** Groups nodes by their merged node. */
function membersOf(into: Int32Array, count: number) {
  const first = new Int32Array(count + 1);
  for (const one of into) first[one + 1] = int32At(first, one + 1) + 1;
  for (let one = 0; one < count; one++) first[one + 1] = int32At(first, one + 1) + int32At(first, one);
  const next = first.slice();
  const members = new Int32Array(into.length);
  for (let node = 0; node < into.length; node++) {
    members[int32At(next, int32At(into, node))] = node;
    next[int32At(into, node)] = int32At(next, int32At(into, node)) + 1;
  }
  return { first, members };
}

/** The graph of communities. */
function merge(graph: Graph, communities: Int32Array): Merged {
  const { into, count } = numbered(communities);
  const { first: from, members } = membersOf(into, count);
  const toward = new Sums(count);
  const first = new Int32Array(count + 1);
  const [ends, weights] = [new Int32Array(graph.ends.length), new Float64Array(graph.ends.length)];
  const loops = new Float64Array(count);
  let edges = 0;
  for (let one = 0; one < count; one++) {
    let inner = 0;
    for (let at = int32At(from, one); at < int32At(from, one + 1); at++) {
      const node = int32At(members, at);
      inner += 2 * float64At(graph.loops, node);
      for (let edge = int32At(graph.first, node); edge < int32At(graph.first, node + 1); edge++) {
        const other = int32At(into, int32At(graph.ends, edge));
        if (other === one) inner += float64At(graph.weights, edge);
        else toward.add(other, float64At(graph.weights, edge));
      }
    }
    loops[one] = inner / 2;
    for (let i = 0; i < toward.count; i++) {
      ends[edges] = int32At(toward.met, i);
      weights[edges++] = float64At(toward.by, int32At(toward.met, i));
    }
    toward.clear();
    first[one + 1] = edges;
  }
  return {
    graph: { nodes: count, first, ends: ends.subarray(0, edges), weights: weights.subarray(0, edges), loops },
    into,
  };
}

/**
 * The community of each node, numbered from 0 in the order of their first nodes. The same for the same graph and seed. Yields about every
 * tenth of a millisecond.
 */
export function louvain(nodes: number, pairs: Pairs, seed: number): Int32Array {
  let graph = graphOf(nodes, pairs);
  let found = numbersTo(nodes);
  for (;;) {
    const communities = moveNodes(graph, seed);
    if (communities === null) return numbered(found).into;
    const { graph: next, into } = merge(graph, communities);
    found = found.map((node) => int32At(into, node));
    graph = next;
  }
}
