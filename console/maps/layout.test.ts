import { expect, test } from '@jest/globals';
import { placesOf } from './layout.ts';

const nodesOf = (ids: readonly string[]) =>
  ids.map((id) => ({
    id,
    name: id,
    type: 'server',
    role: 'plain' as const,
    worst: null,
    open: 0,
    acknowledged: 0,
  }));
const extentOf = (values: readonly number[]): number => Math.max(...values) - Math.min(...values);
const LEAVES = Array.from({ length: 49 }, (_, at) => `leaf-${at}`);

test('a fan of 49 leaves is a block below its parent, and no two places are the same', () => {
  const edges = LEAVES.map((source) => ({ source, target: 'top', type: 'depends_on' }));
  const places = placesOf({ nodes: nodesOf(['top', ...LEAVES]), edges }, () => 80);
  const [xs, ys] = [[...places.values()].map(({ x }) => x), [...places.values()].map(({ y }) => y)];
  expect(extentOf(xs)).toBeLessThan(700);
  expect(Math.min(...ys)).toBe(places.get('top')?.y);
  expect(new Set([...places.values()].map(({ x, y }) => `${x} ${y}`)).size).toBe(50);
});

test('CIs without relationships are a block instead of a line', () => {
  const places = placesOf({ nodes: nodesOf(LEAVES), edges: [] }, () => 80);
  expect(extentOf([...places.values()].map(({ x }) => x))).toBeLessThan(700);
  expect(new Set([...places.values()].map(({ x, y }) => `${x} ${y}`)).size).toBe(49);
});
