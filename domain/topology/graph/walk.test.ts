import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { arrivalTopology, NEAR_LIMIT, REACH_BOUND, UPSTREAM_LIMIT } from './arrival-topology.ts';
import { addEdge, dropEdge, type Era, endEdge, liveEdge, PRESENT } from './edges.ts';
import { addNode, emptyGraph, type Graph } from './graph.ts';
import { type WalkBounds, walk } from './walk.ts';

const always = (): Era => ({ from: -Infinity, to: Infinity });
const living = { type: 'depends_on', critical: false, since: -Infinity, until: Infinity };
const padded = (n: number): string => `n${String(n).padStart(5, '0')}`;

/** Every spoke depends on the hub, node 0; in the order given. */
function star(spokes: readonly number[]): Graph {
  const graph = emptyGraph();
  addNode(graph, 'hub');
  for (const spoke of spokes) addEdge(graph, addNode(graph, padded(spoke)), 0, living);
  return graph;
}

const DOWN: WalkBounds = { hops: 2, direction: 'down', mask: 0, types: null, keep: 10, count: 10 };
const found = (graph: Graph, count: number): string[] =>
  [...graph.queue.slice(1, 1 + count)].map((node) => graph.ids[node]!);

describe('A walk', () => {
  test('keeps the smallest ids of a hub, in whatever order they came', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(9_999), { minLength: 11, maxLength: 300 }), fc.nat(30), (spokes, keep) => {
        const graph = star(spokes);
        const expected = [...spokes]
          .sort((a, b) => a - b)
          .slice(0, keep)
          .map(padded);
        walk(graph, 0, { ...DOWN, keep, count: keep }, PRESENT, always());
        if (keep > 0) expect(found(graph, expected.length)).toEqual(expected);
      }),
    );
  });

  test('selects within a large layer whose numbers ascend with the ids but not in the list', () => {
    fc.assert(
      fc.property(fc.integer({ min: 30, max: 400 }), fc.integer({ min: 1, max: 60 }), fc.nat(), (size, keep, seed) => {
        const graph = emptyGraph();
        const nodes = Array.from({ length: size }, (_, i) => addNode(graph, padded(i)));
        const shuffled = nodes.slice(1).sort((a, b) => ((a * 7919 + seed) % 1_013) - ((b * 7919 + seed) % 1_013));
        for (const node of shuffled) addEdge(graph, node, 0, living);
        walk(graph, 0, { ...DOWN, keep, count: keep }, PRESENT, always());
        const kept = Math.min(keep, size - 1);
        expect(found(graph, kept)).toEqual(nodes.slice(1, 1 + kept).map(padded));
      }),
    );
  });

  test('finds nothing over an edge that has been dropped, and its slot serves again', () => {
    const graph = star([1, 2, 3]);
    const slots = graph.edgeSlots;
    dropEdge(graph, liveEdge(graph, 2, 0, 'depends_on'));
    expect(walk(graph, 0, DOWN, PRESENT, always())).toEqual([0, 2, 2]);
    addEdge(graph, 2, 0, living);
    expect(walk(graph, 0, DOWN, PRESENT, always())).toEqual([0, 3, 3]);
    expect(graph.edgeSlots).toBe(slots);
  });

  test('an ended edge is valid before its end, and the era says how long the answer holds', () => {
    const graph = star([1, 2]);
    addEdge(graph, 1, 2, { ...living, type: 'uses', since: 50 });
    endEdge(graph, liveEdge(graph, 1, 0, 'depends_on'), 100);
    const eraAt = (at: number): [number, Era] => {
      const era = always();
      return [walk(graph, 0, DOWN, at, era)[1]!, era];
    };
    expect(eraAt(99)).toEqual([2, { from: 50, to: 100 }]);
    expect(eraAt(100)).toEqual([1, { from: 100, to: Infinity }]);
    expect(eraAt(49)).toEqual([2, { from: -Infinity, to: 50 }]);
  });

  test('marks start again before they run over', () => {
    const graph = star([1, 2]);
    graph.stamp = 2 ** 31 - 2;
    graph.mark.fill(1);
    for (let i = 0; i < 3; i++) expect(walk(graph, 0, DOWN, PRESENT, always())).toEqual([0, 2, 2]);
  });
});

describe('Around a hub', () => {
  test.each([
    [NEAR_LIMIT, false, NEAR_LIMIT],
    [NEAR_LIMIT + 1, true, NEAR_LIMIT],
  ])('%i neighbours: truncated %s', (size, truncated, shown) => {
    const graph = star(Array.from({ length: size }, (_, i) => i));
    const seen = arrivalTopology(graph, 0, PRESENT, 1, always());
    expect([seen.truncated, seen.near.length, seen.degree]).toEqual([truncated, shown, size]);
  });

  test.each([
    [REACH_BOUND - 2, REACH_BOUND - 2],
    [REACH_BOUND + 50, REACH_BOUND],
  ])('of %i spokes a spoke counts %i others', (spokes, reach) => {
    const graph = star(Array.from({ length: spokes }, (_, i) => i));
    expect(arrivalTopology(graph, 1, PRESENT, 1, always())).toMatchObject({
      degree: 1,
      reach2: reach,
      reach3: reach,
      above3: 1,
    });
    expect(arrivalTopology(graph, 0, PRESENT, 1, always()).below3).toBe(Math.min(spokes, REACH_BOUND));
  });

  test('the nearest 200 causes', () => {
    const graph = emptyGraph();
    addNode(graph, 'a');
    for (let i = 0; i < UPSTREAM_LIMIT + 10; i++) addEdge(graph, 0, addNode(graph, padded(i)), living);
    const { upstream, above3 } = arrivalTopology(graph, 0, PRESENT, 1, always());
    expect([upstream.length, upstream.at(-1)?.ci, above3]).toEqual([200, padded(199), 210]);
  });
});
