import { expect, test } from '@jest/globals';
import { placesOf } from './layout.ts';

const nodesOf = (ids: readonly string[]) =>
  ids.map((id) => ({ id, name: id, type: 'server', role: 'plain' as const, worst: null, open: 0, acknowledged: 0 }));
const extentOf = (values: readonly number[]): number => Math.max(...values) - Math.min(...values);
const WIDE = { width: 2_000, height: 2_000 };
const LEAVES = Array.from({ length: 49 }, (_, at) => `leaf-${at}`);

test('a fan of 49 leaves is a block below its parent, and no two places are the same', () => {
  const edges = LEAVES.map((source) => ({ source, target: 'top', type: 'depends_on' }));
  const places = placesOf({ nodes: nodesOf(['top', ...LEAVES]), edges }, () => 80, WIDE);
  const [xs, ys] = [[...places.values()].map(({ x }) => x), [...places.values()].map(({ y }) => y)];
  expect(extentOf(xs)).toBeLessThan(700);
  expect(Math.min(...ys)).toBe(places.get('top')?.y);
  expect(new Set([...places.values()].map(({ x, y }) => `${x} ${y}`)).size).toBe(50);
});

test('CIs without relationships are a block instead of a line', () => {
  const places = placesOf({ nodes: nodesOf(LEAVES), edges: [] }, () => 80, WIDE);
  expect(extentOf([...places.values()].map(({ x }) => x))).toBeLessThan(700);
  expect(new Set([...places.values()].map(({ x, y }) => `${x} ${y}`)).size).toBe(49);
});

test('wide ranks are wrapped to fill the room, from left to right as before', () => {
  const tops = Array.from({ length: 9 }, (_, at) => `sw-${at}`);
  const fans = tops.flatMap((top) => [0, 1, 2].map((at) => ({ source: `${top}-${at}`, target: top, type: 'uses' })));
  const edges = [...tops.map((source) => ({ source, target: 'core', type: 'uses' })), ...fans];
  const nodes = nodesOf(['core', ...tops, ...fans.map(({ source }) => source)]);
  const places = placesOf({ nodes, edges }, () => 110, { width: 900, height: 450 });
  const all = [...places.values()];
  expect(places.size).toBe(37);
  expect([extentOf(all.map(({ x }) => x)) <= 900, extentOf(all.map(({ y }) => y)) <= 450]).toEqual([true, true]);
  const near = all.flatMap((a, at) =>
    all.slice(at + 1).filter((b) => Math.abs(a.x - b.x) < 100 && Math.abs(a.y - b.y) < 36),
  );
  expect(near).toEqual([]);
  const below = (top: string) => places.get(`${top}-1`)?.x ?? 0;
  expect(below('sw-0') < below('sw-8')).toBe((places.get('sw-0')?.x ?? 0) < (places.get('sw-8')?.x ?? 0));
});
