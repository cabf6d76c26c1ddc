import { describe, expect, test } from '@jest/globals';
import { percent } from '#domain/numbers.ts';
import { count, names, openCounts, plain } from './counts.ts';

test.each([
  [1, 'event', '1 event'],
  [62, 'event', '62 events'],
  [1_204, 'CI', '1,204 CIs'],
  [0, 'entry', '0 entries'],
])('%d %s: %s', (value, one, expected) => {
  expect(count(value, one)).toBe(expected);
});

describe('names', () => {
  test.each([
    [[], 0, ''],
    [['Shop'], 1, 'Shop'],
    [['Shop', 'Billing'], 2, 'Shop and Billing'],
    [['Shop', 'Billing', 'Payroll'], 3, 'Shop, Billing and 1 more'],
    [['Shop', 'Billing'], 14, 'Shop, Billing and 12 more'],
  ])('%j of %d: %s', (known, all, expected) => {
    expect(names(known, all)).toBe(expected);
  });
});

test('shares and words of the interface', () => {
  expect([percent(0.7649), plain('earliest_severe_event')]).toEqual(['76%', 'Earliest severe event']);
});

test.each([
  [0, 0, ''],
  [3, 0, '3 open'],
  [3, 1, '2 open, 1 acknowledged'],
  [2, 2, '2 acknowledged'],
])('%d that are not over, %d of them acknowledged: %s', (open, acknowledged, expected) => {
  expect(openCounts({ open, acknowledged })).toBe(expected);
});
