import { expect, test } from '@jest/globals';
import type { CiPlace } from '#domain/ports/topology/infrastructure-queries.ts';
import { boxesOf, countsOf, restOf } from './boxes.ts';

const place = (values: CiPlace['values'], cis: number, ranked = 0, highest = 0): CiPlace => ({
  values,
  cis,
  ranked,
  highest,
});

test('boxes within boxes, the worst first, then the largest', () => {
  const { boxes, others } = boxesOf(
    [
      place(['ber', 'r2'], 3, 1, 5),
      place(['muc', 'r1'], 90, 2, 1),
      place(['ber', null], 2),
      place(['ber', 'r10'], 3),
      place([null, null], 40),
    ],
    null,
  );
  expect(boxes.map(({ value, cis, affected, worst }) => [value, cis, affected, worst])).toEqual([
    ['ber', 8, 1, 'critical'],
    ['muc', 90, 2, 'info'],
    [null, 40, 0, null],
  ]);
  expect(boxes[0]?.boxes.map(({ value }) => value)).toEqual(['r2', 'r10', null]);
  expect(others).toBeNull();
});

test('more than can be drawn is counted, so that no CI is missing and no problem hidden', () => {
  const places = Array.from({ length: 300 }, (_, n) => place([`site-${n}`, `rack-${n}`], 2, n === 299 ? 1 : 0, 0));
  const rest = { cis: 7, ranked: 2, highest: 4 };
  const { boxes, others } = boxesOf(places, rest);
  expect(boxes).toHaveLength(200);
  expect(others).toEqual({ cis: 207, affected: expect.any(Number), worst: 'major' });
  expect(countsOf(places).cis + rest.cis).toBe(boxes.reduce((sum, { cis }) => sum + cis, 0) + (others?.cis ?? 0));
  const wide = boxesOf([place(['a', 'x'], 1)], null);
  expect(wide.boxes[0]?.boxes).toHaveLength(1);
});

test('what a store has left out is no worse than its last place', () => {
  const places = [place(['a'], 10, 3, 5), place(['b'], 5, 1, 2)];
  expect(restOf(places, { cis: 20, ranked: 6, highest: 5 })).toEqual({ cis: 5, ranked: 2, highest: 2 });
  expect(restOf(places, { cis: 20, ranked: 4, highest: 5 })).toEqual({ cis: 5, ranked: 0, highest: 0 });
  expect(restOf(places, { cis: 15, ranked: 4, highest: 5 })).toBeNull();
});
