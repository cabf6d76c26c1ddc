import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { UndirectedGraph } from 'graphology';
import louvainOf from 'graphology-communities-louvain';
import { chanceOf } from '../../../../bench/chance.ts';
import { louvain } from './louvain.ts';
import { modularity } from './split.ts';
import type { Pairs } from './weigh-links.ts';

type Edge = readonly [one: number, other: number, weight: number];
const pairsOf = (edges: readonly Edge[]): Pairs => ({
  count: edges.length,
  one: Int32Array.from(edges, ([one]) => one),
  other: Int32Array.from(edges, ([, other]) => other),
  weight: Float64Array.from(edges, ([, , weight]) => weight),
});

/** Its types speak of a default that CommonJS does not have. */
const oracle = louvainOf as unknown as typeof louvainOf.default;

/** Groups of nodes with many edges within and some between. */
function planted(groups: number, size: number, between: number, seed: number): { nodes: number; edges: Edge[] } {
  const random = chanceOf(seed);
  const nodes = groups * size;
  const edges: Edge[] = [];
  for (let one = 0; one < nodes; one++)
    for (let other = one + 1; other < nodes; other++) {
      const isSame = Math.floor(one / size) === Math.floor(other / size);
      if (random() < (isSame ? 0.5 : between / nodes)) edges.push([one, other, 0.25 + random() * 9]);
    }
  return { nodes, edges };
}

function oracleModularity(nodes: number, edges: readonly Edge[], seed: number): number {
  const graph = new UndirectedGraph();
  for (let node = 0; node < nodes; node++) graph.addNode(node);
  for (const [one, other, weight] of edges) graph.addEdge(one, other, { weight });
  return oracle.detailed(graph, { getEdgeWeight: 'weight', rng: chanceOf(seed) }).modularity;
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

describe('Communities are about as good as those of the oracle', () => {
  const graphs = [2, 5, 20].flatMap((groups) =>
    [6, 15].flatMap((size) => [0.5, 2, 6].map((between) => ({ groups, size, between }))),
  );
  test.each(graphs)('%j', ({ groups, size, between }) => {
    // Both draw an order, and in a small graph without clear communities either may be the luckier one.
    const seeds = Array.from({ length: 40 }, (_, n) => n + 1);
    const drawn = seeds.map((seed) => ({ seed, ...planted(groups, size, between, seed) }));
    const own = drawn.map(({ seed, nodes, edges }) => {
      const pairs = pairsOf(edges);
      return modularity(nodes, pairs, louvain(nodes, pairs, seed));
    });
    const expected = drawn.map(({ seed, nodes, edges }) => oracleModularity(nodes, edges, seed));
    expect(mean(own)).toBeGreaterThanOrEqual(0.98 * mean(expected));
  });

  test('and the modularity is what the oracle says', () => {
    const edges: Edge[] = [
      [0, 1, 3],
      [1, 2, 1],
      [2, 3, 2],
      [3, 0, 0.5],
      [1, 3, 4],
    ];
    const pairs = pairsOf(edges);
    const graph = new UndirectedGraph();
    for (const [one, other, weight] of edges) graph.mergeEdge(one, other, { weight });
    const { communities, modularity: expected } = oracle.detailed(graph, { getEdgeWeight: 'weight', rng: chanceOf(1) });
    const found = Int32Array.from([0, 1, 2, 3], (node) => communities[node]!);
    expect(modularity(4, pairs, found)).toBeCloseTo(expected, 9);
  });
});

test('clear communities are found as they are', () => {
  const clique = (first: number): Edge[] => {
    const nodes = Array.from({ length: 6 }, (_, n) => first + n);
    return nodes.flatMap((one) => nodes.flatMap((other): Edge[] => (one < other ? [[one, other, 2]] : [])));
  };
  const edges = [...clique(0), ...clique(6), ...clique(12), [5, 6, 1] as const, [11, 12, 1] as const];
  expect([...louvain(18, pairsOf(edges), 7)]).toEqual([0, 1, 2].flatMap((community) => new Array(6).fill(community)));
});

test.each([
  ['no node', 0, []],
  ['nodes without edges', 3, []],
  ['one edge', 2, [[0, 1, 1]]],
])('%s', (_, nodes, edges) => {
  const found = louvain(nodes, pairsOf(edges as unknown as Edge[]), 1);
  expect([...found]).toEqual(edges.length === 1 ? [0, 0] : Array.from({ length: nodes }, (_n, node) => node));
});

test('whatever the graph: the same each time, numbered from 0 by first nodes, and no worse than one community or none', () => {
  const graphs = fc.integer({ min: 1, max: 40 }).chain((nodes) => {
    const node = fc.nat(nodes - 1);
    const edge = fc.tuple(node, node, fc.integer({ min: 1, max: 36 })).filter(([one, other]) => one !== other);
    const edges = fc.uniqueArray(edge, {
      maxLength: 120,
      selector: ([one, other]) => `${Math.min(one, other)} ${Math.max(one, other)}`,
    });
    return fc.record({ nodes: fc.constant(nodes), edges: nodes === 1 ? fc.constant([]) : edges, seed: fc.nat() });
  });
  fc.assert(
    fc.property(graphs, ({ nodes, edges, seed }) => {
      const pairs = pairsOf(edges);
      const found = louvain(nodes, pairs, seed);
      expect(louvain(nodes, pairs, seed)).toEqual(found);
      const firsts = [...new Set(found)];
      expect(firsts).toEqual(firsts.map((_, n) => n));
      if (edges.length === 0) return;
      const quality = modularity(nodes, pairs, found);
      expect(quality).toBeGreaterThanOrEqual(-1e-9);
      expect(quality).toBeLessThan(1);
    }),
  );
});

test('60,000 nodes in one component are parted', () => {
  const random = chanceOf(5);
  const edges: Edge[] = [];
  for (let node = 1; node < 60_000; node++) {
    edges.push([node - 1, node, 1]);
    for (let i = 0; i < 2; i++) {
      const near = Math.floor(node / 12) * 12 + Math.floor(random() * 12);
      if (near < node) edges.push([near, node, 3]);
    }
  }
  const pairs = pairsOf([...new Map(edges.map((edge) => [edge[0] * 60_000 + edge[1], edge])).values()]);
  expect(new Set(louvain(60_000, pairs, 1)).size).toBeGreaterThan(100);
});
