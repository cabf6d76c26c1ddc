import { expect, test } from '@jest/globals';
import { hasRoom, restMs } from './rest.ts';

test.each([
  ['room', 100],
  ['busy', 400],
] as const)('a rest: %s', (how, ms) => expect(restMs(100, how)).toBe(ms));

test('there is room while the thread works less than seven tenths of its time', () => {
  expect([0, 0.69, 0.7, 1].map(hasRoom)).toEqual([true, true, false, false]);
});
