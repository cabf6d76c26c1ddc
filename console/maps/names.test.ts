import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type NamedNode, placedNames } from './names.ts';

const HEIGHT = 14;
const node = (id: string, x: number, y: number, rank = 0): NamedNode => ({ id, x, y, radius: 8, width: 80, rank });

test('the more important of two names that overlap is shown; the other one above its node if there is room', () => {
  const names = placedNames([node('a', 0, 0, 1), node('b', 30, 0, 2)], HEIGHT);
  expect(names.map(({ id, side }) => [id, side])).toEqual([
    ['b', 'bottom'],
    ['a', 'top'],
  ]);
  expect(placedNames([node('a', 0, 0, 1), node('b', 30, 0, 2), node('c', 15, 0, 3)], HEIGHT)).toHaveLength(2);
});

test('no two names overlap, and none covers another node', () => {
  const coordinate = fc.integer({ min: 0, max: 400 });
  const drawn = fc.array(fc.tuple(coordinate, coordinate, fc.integer({ min: 0, max: 9 })), { maxLength: 60 });
  fc.assert(
    fc.property(drawn, (places) => {
      const nodes = places.map(([x, y, rank], at) => node(`${at}`, x, y, rank));
      const names = placedNames(nodes, HEIGHT);
      for (const a of names) {
        for (const b of names)
          if (a !== b)
            expect(a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top).toBe(true);
        for (const { id, x, y, radius } of nodes)
          if (id !== a.id)
            expect(a.right <= x - radius || a.left >= x + radius || a.bottom <= y - radius || a.top >= y + radius).toBe(
              true,
            );
      }
    }),
    { numRuns: 60 },
  );
});
