import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { UndirectedGraph } from 'graphology';
import centrality from 'graphology-metrics/centrality/index.js';
import { type Adjacency, adjacencyOf, degreeOf } from './adjacency.ts';
import { articulationPoints } from './articulation.ts';
import { betweenness, EXACT_UP_TO, PIVOTS } from './betweenness.ts';

type Pair = readonly [number, number];
interface Drawn {
  readonly size: number;
  readonly pairs: readonly Pair[];
}

const drawn = (most: number, density: number): fc.Arbitrary<Drawn> =>
  fc.integer({ min: 1, max: most }).chain((size) => {
    const node = fc.integer({ min: 0, max: size - 1 });
    return fc.record({ size: fc.constant(size), pairs: fc.array(fc.tuple(node, node), { maxLength: size * density }) });
  });

const neighboursOf = ({ offsets, targets }: Adjacency, node: number): Uint32Array =>
  targets.subarray(offsets[node], offsets[node + 1]);
const graphOf = ({ size, pairs }: Drawn) => adjacencyOf(size, pairs);

const oracle = ({ size, pairs }: Drawn): UndirectedGraph => {
  const graph = new UndirectedGraph({ allowSelfLoops: false });
  for (let node = 0; node < size; node++) graph.addNode(node);
  for (const [one, other] of pairs) if (one !== other) graph.mergeEdge(one, other);
  return graph;
};

function run<T>(steps: Generator<undefined, T>): { readonly value: T; readonly pauses: number } {
  for (let pauses = 0; ; pauses++) {
    const { done, value } = steps.next();
    if (done === true) return { value, pauses };
  }
}

const components = ({ size, pairs }: Drawn, without: number | null): number => {
  const graph = graphOf({ size, pairs });
  const seen = new Set<number>(without === null ? [] : [without]);
  let count = 0;
  for (let start = 0; start < size; start++) {
    if (seen.has(start)) continue;
    count += 1;
    const queue = [start];
    seen.add(start);
    for (const node of queue)
      for (const next of neighboursOf(graph, node))
        if (!seen.has(next)) {
          seen.add(next);
          queue.push(next);
        }
  }
  return count;
};

test('an adjacency has every pair once, in both directions, without loops', () => {
  fc.assert(
    fc.property(drawn(20, 3), (given) => {
      const graph = graphOf(given);
      const known = oracle(given);
      for (let node = 0; node < given.size; node++) {
        expect([...neighboursOf(graph, node)].map(String).sort()).toEqual(known.neighbors(node).sort());
        expect(degreeOf(graph, node)).toBe(known.degree(node));
      }
    }),
  );
});

describe('Betweenness', () => {
  test('is that of another library on random graphs', () => {
    fc.assert(
      fc.property(fc.oneof(drawn(12, 3), drawn(60, 2)), (given) => {
        const { value } = run(betweenness(graphOf(given)));
        const expected = centrality.betweenness(oracle(given));
        for (let node = 0; node < given.size; node++)
          expect(value[node]).toBeCloseTo(given.size < 3 ? 0 : expected[node]!, 9);
      }),
      { numRuns: 200 },
    );
  });

  test.each<[string, Drawn, readonly number[]]>([
    [
      'a chain of three',
      {
        size: 3,
        pairs: [
          [0, 1],
          [1, 2],
        ],
      },
      [0, 1, 0],
    ],
    [
      'a star of five',
      {
        size: 5,
        pairs: [
          [0, 1],
          [0, 2],
          [0, 3],
          [0, 4],
        ],
      },
      [1, 0, 0, 0, 0],
    ],
    [
      'a ring of four',
      {
        size: 4,
        pairs: [
          [0, 1],
          [1, 2],
          [2, 3],
          [3, 0],
        ],
      },
      [1 / 6, 1 / 6, 1 / 6, 1 / 6],
    ],
    ['one node', { size: 1, pairs: [] }, [0]],
    ['none', { size: 0, pairs: [] }, []],
  ])('of %s', (_, given, expected) => {
    const { value } = run(betweenness(graphOf(given)));
    expect([...value].map((one) => Math.round(one * 1e9) / 1e9)).toEqual(
      expected.map((one) => Math.round(one * 1e9) / 1e9),
    );
  });

  test.each([
    [EXACT_UP_TO, EXACT_UP_TO],
    [EXACT_UP_TO + 1, PIVOTS],
  ])('of %i nodes takes %i starts, with a pause after each', (size, pauses) => {
    const pairs = Array.from({ length: size - 1 }, (_, i): Pair => [0, i + 1]);
    const { value, pauses: made } = run(betweenness(adjacencyOf(size, pairs)));
    expect(made).toBe(pauses);
    expect(value[0]).toBeGreaterThan(0.95);
    expect(value[1]).toBe(0);
  });

  test('of a few starts still finds the nodes that matter', () => {
    const size = 3_000;
    const hubs = [700, 1_500, 2_900];
    const pairs = Array.from({ length: size }, (_, i): Pair => [hubs[i % 3]!, i]);
    const { value } = run(betweenness(adjacencyOf(size, [...pairs, [700, 1_500], [1_500, 2_900]])));
    const best = [...value.keys()].sort((a, b) => value[b]! - value[a]!).slice(0, 3);
    expect(best.sort((a, b) => a - b)).toEqual(hubs);
  });
});

describe('Articulation points', () => {
  test('are the nodes without which there are more components', () => {
    fc.assert(
      fc.property(drawn(25, 2), (given) => {
        const found = articulationPoints(graphOf(given));
        const before = components(given, null);
        for (let node = 0; node < given.size; node++)
          expect([node, found.has(node)]).toEqual([node, components(given, node) > before]);
      }),
      { numRuns: 300 },
    );
  });

  test('of a long chain are found without running out of stack', () => {
    const size = 60_000;
    const chain = adjacencyOf(
      size,
      Array.from({ length: size - 1 }, (_, i): Pair => [i, i + 1]),
    );
    expect(articulationPoints(chain).size).toBe(size - 2);
  });
});
