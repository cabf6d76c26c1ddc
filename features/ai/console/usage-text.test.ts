import { expect, test } from '@jest/globals';
import { costWords, monthOf, ofLimit, spent } from './usage-text.ts';

test.each([
  ['2026-11-01T00:00:00.000Z', '2026-11-01'],
  ['2026-11-30T23:59:59.999Z', '2026-11-01'],
])('the month of %s begins on %s', (now, expected) => {
  expect(monthOf(Date.parse(now))).toBe(expected);
});

test.each([
  [0, 100, 0],
  [50, 100, 0.5],
  [120, 100, 1],
  [0, 0, 1],
])('%d of %d: %d', (used, limit, expected) => {
  expect(spent(used, limit)).toBe(expected);
});

test('costs and limits are told', () => {
  expect(costWords(12.4, true)).toBe('12.40');
  expect(costWords(0.0123, true)).toBe('0.0123');
  expect(costWords(0, false)).toBe('no price set');
  expect(ofLimit('3', 200_000)).toBe('3 of 200,000');
  expect(ofLimit('3', null)).toBe('3 (no limit)');
});
