import { expect, test } from '@jest/globals';
import { periodsOf, readVisits, startOf, visitedAt } from './visit.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const NOW = 1_000 * HOUR;

test('a pause of more than half an hour ends a visit', () => {
  const first = visitedAt(null, NOW);
  expect(first).toEqual({ seen: NOW, before: null });
  expect(visitedAt(first, NOW + 30 * MINUTE)).toEqual({ seen: NOW + 30 * MINUTE, before: null });
  const second = visitedAt(first, NOW + 31 * MINUTE);
  expect(second).toEqual({ seen: NOW + 31 * MINUTE, before: NOW });
  expect(visitedAt(second, NOW + 40 * MINUTE).before).toBe(NOW);
});

test.each([
  ['visit', NOW - 3 * HOUR, 3],
  ['12h', NOW - 3 * HOUR, 12],
  ['24h', null, 24],
] as const)('%s, after a visit until %p, begins %i hours ago', (period, before, hours) => {
  expect(startOf(period, { seen: NOW, before }, NOW)).toBe(NOW - hours * HOUR);
});

test.each([
  [NOW - HOUR, ['visit', '12h', '24h']],
  [null, ['12h', '24h']],
  [NOW - 169 * HOUR, ['12h', '24h']],
])('after a visit until %p, the periods are %j', (before, periods) => {
  expect(periodsOf({ seen: NOW, before }, NOW)).toEqual(periods);
});

test.each([null, '', '{', '7', '{"seen":"x"}'])('%j is no stored visit', (text) => {
  expect(readVisits(text)).toBeNull();
});

test('stored visits are read', () => {
  expect(readVisits('{"seen":5,"before":3}')).toEqual({ seen: 5, before: 3 });
  expect(readVisits('{"seen":5}')).toEqual({ seen: 5, before: null });
});
