import { describe, expect, test } from '@jest/globals';
import { arrivalTopology } from '#domain/topology/graph/arrival-topology.ts';
import { addEdge } from '#domain/topology/graph/edges.ts';
import { addNode, emptyGraph } from '#domain/topology/graph/graph.ts';
import { openAroundCaches } from './cache.ts';

/** An answer that names about `named` CIs. */
function answer(named: number) {
  const graph = emptyGraph();
  addNode(graph, 'a');
  const living = { type: 'peers_with', critical: false, since: -Infinity, until: Infinity };
  for (let i = 1; i < named; i++) addEdge(graph, 0, addNode(graph, `n${i}`), living);
  return arrivalTopology(graph, 0, 0, 1, { from: -Infinity, to: Infinity });
}
const ever = { from: -Infinity, to: Infinity };

describe('The cache of surroundings', () => {
  test('answers within the era only', () => {
    const cache = openAroundCaches().open();
    const topology = answer(1);
    cache.put(1, { from: 100, to: 200 }, topology);
    expect([99, 100, 199, 200].map((at) => cache.get(1, at))).toEqual([undefined, topology, topology, undefined]);
    cache.clear();
    expect(cache.get(1, 150)).toBeUndefined();
  });

  test('holds what was put once for the next 63 others only', () => {
    const cache = openAroundCaches().open();
    const topology = answer(1);
    for (let node = 0; node < 65; node++) cache.put(node, ever, topology);
    expect([0, 1, 64].map((node) => cache.get(node, 0) !== undefined)).toEqual([false, true, true]);
    cache.put(0, ever, topology);
    for (let node = 100; node < 200; node++) cache.put(node, ever, topology);
    expect([0, 1].map((node) => cache.get(node, 0) !== undefined)).toEqual([true, false]);
  });

  test.each([
    ['20,000 CIs', 1, 20_000],
    ['1,000,000 named', 200, 5_000],
  ])('holds %s and drops what was used least recently', (_bound, named, size) => {
    const cache = openAroundCaches().open();
    const topology = answer(named);
    const put = (node: number) => {
      for (let times = 0; times < 2; times++) cache.put(node, ever, topology);
    };
    for (let node = 0; node < size; node++) put(node);
    cache.get(0, 0);
    put(size);
    expect([0, 1, 2, size].map((node) => cache.get(node, 0) !== undefined)).toEqual([true, false, true, true]);
  });

  test('knows equal surroundings of a CI again until its topology or the era changes, also when it has dropped them', () => {
    const { open, validityOf } = openAroundCaches();
    const cache = open();
    const validity = (node: number, era = ever) => {
      const topology = answer(1);
      cache.put(node, { ...era }, topology);
      return validityOf(topology.near);
    };
    const first = validity(1);
    for (let node = 2; node < 100; node++) validity(node);
    expect(first).toBeDefined();
    expect(validity(1)).toBe(first);
    expect(validity(2)).not.toBe(first);
    const later = validity(1, { from: 0, to: Infinity });
    expect(later).not.toBe(first);
    cache.clear();
    expect(validity(1, { from: 0, to: Infinity })).not.toBe(later);
    expect(validityOf(answer(1).near)).toBeUndefined();
  });
});
