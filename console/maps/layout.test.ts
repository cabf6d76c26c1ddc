import { expect, test } from '@jest/globals';
import { placesOf } from './layout.ts';

test('a fan of 49 leaves is a block below its parent, and no two places are the same', () => {
  const leaves = Array.from({ length: 49 }, (_, at) => `leaf-${at}`);
  const nodes = ['top', ...leaves].map((id) => ({
    id,
    name: id,
    type: 'server',
    role: 'plain' as const,
    worst: null,
    open: 0,
    acknowledged: 0,
  }));
  const edges = leaves.map((source) => ({ source, target: 'top', type: 'depends_on' }));
  const places = placesOf({ nodes, edges }, () => 80);
  const [xs, ys] = [[...places.values()].map(({ x }) => x), [...places.values()].map(({ y }) => y)];
  expect(Math.max(...xs) - Math.min(...xs)).toBeLessThan(700);
  expect(Math.min(...ys)).toBe(places.get('top')?.y);
  expect(new Set([...places.values()].map(({ x, y }) => `${x} ${y}`)).size).toBe(50);
});
