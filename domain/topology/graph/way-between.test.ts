import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { addEdge, PRESENT } from './edges.ts';
import { addNode, emptyGraph } from './graph.ts';
import { wayBetween } from './way-between.ts';

const TYPES = ['uses', 'runs_on'];
const node = fc.nat(11);
const edges = fc.array(fc.record({ from: node, to: node, type: fc.constantFrom(...TYPES) }), { maxLength: 30 });
const direction = fc.constantFrom('up' as const, 'down' as const, 'both' as const);
const idOf = (n: number): string => String.fromCharCode(97 + n);

type Edges = readonly { readonly from: number; readonly to: number; readonly type: string }[];

/** Returns hops from one node, by layers; -1 without a path. */
function distance(list: Edges, start: number, end: number): number {
  let layer = new Set([start]);
  const seen = new Set(layer);
  for (let hops = 0; layer.size > 0; hops++) {
    if (layer.has(end)) return hops;
    layer = new Set(list.filter(({ from, to }) => layer.has(from) && !seen.has(to)).map(({ to }) => to));
    for (const one of layer) seen.add(one);
  }
  return -1;
}

const directed = (list: Edges, way: 'up' | 'down' | 'both'): Edges => {
  const back = list.map(({ from, to, type }) => ({ from: to, to: from, type }));
  return way === 'up' ? list : way === 'down' ? back : [...list, ...back];
};

test('a way is as short as it can be, and goes along relationships', () => {
  fc.assert(
    fc.property(edges, node, node, direction, fc.boolean(), fc.nat(6), (all, start, end, way, isTyped, hops) => {
      const graph = emptyGraph();
      for (let n = 0; n < 12; n++) addNode(graph, idOf(n));
      const ever = { critical: false, since: -Infinity, until: Infinity };
      for (const { from, to, type } of all) addEdge(graph, from, to, { type, ...ever });
      const types = isTyped ? ['uses'] : [];
      const found = wayBetween(graph, start, end, { hops, direction: way, types }, PRESENT);
      const usable = directed(
        all.filter(({ type }) => !isTyped || type === 'uses'),
        way,
      );
      const expected = distance(usable, start, end);
      if (expected < 0 || expected > hops) return expect(found).toBeNull();
      expect([found?.[0], found?.at(-1), found?.length]).toEqual([idOf(start), idOf(end), expected + 1]);
      for (const [i, id] of found!.entries())
        if (i > 0) expect(usable.some(({ from, to }) => idOf(from) === found![i - 1] && idOf(to) === id)).toBe(true);
    }),
    { numRuns: 1_000 },
  );
});
