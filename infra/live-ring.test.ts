import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type PlacedChange, Ring } from './live-ring.ts';

const placed = (lane: number, number: number): PlacedChange => ({
  lane,
  number,
  change: { of: 'event', id: `${lane}/${number}`, count: 1, isNew: false },
});

test('the last changes after a position, the oldest first', () => {
  const ring = new Ring([-1], 3);
  for (const number of [0, 1, 2, 3]) ring.add(placed(0, number));
  expect(ring.after([3])).toEqual([]);
  expect(ring.after([1])).toEqual([placed(0, 2), placed(0, 3)]);
  expect(ring.after([0])).toHaveLength(3);
  expect(ring.after([-1])).toBeNull();
  expect(ring.after([1, 1])).toBeNull();
});

test('what is after a position is told whole, or not at all', () => {
  const steps = fc.array(fc.tuple(fc.nat(2), fc.integer({ min: 1, max: 4 })), { maxLength: 60 });
  fc.assert(
    fc.property(
      steps,
      fc.tuple(fc.nat(80), fc.nat(80), fc.nat(80)),
      fc.integer({ min: 1, max: 20 }),
      (all, from, most) => {
        const ring = new Ring([9, 9, 9], most);
        const last = [9, 9, 9];
        const added = all.map(([lane, step]) => {
          last[lane] = last[lane]! + step;
          return placed(lane, last[lane]!);
        });
        for (const one of added) ring.add(one);
        const missing = added.filter(({ lane, number }) => number > from[lane]!);
        const told = ring.after(from);
        if (told === null)
          expect(from.some((number) => number <= 9) || missing.length > most || added.length > most).toBe(true);
        else expect(told).toEqual(missing);
        if (added.length <= most && from.every((number) => number >= 9)) expect(told).not.toBeNull();
      },
    ),
  );
});
