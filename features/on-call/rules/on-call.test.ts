import { expect, test } from '@jest/globals';
import { isDue, shiftAt, waitOf } from './on-call.ts';

const MINUTE = 60_000;
const shift = (name: string, from: number, to: number) => ({ name, from, to, mail: null });

test.each([
  [5, 'Ann'],
  [10, 'Bo'],
  [25, undefined],
])('at %i %s is on call: a replacement counts', (now, name) => {
  const shifts = [shift('Ann', 0, 20), shift('Bo', 10, 20)];
  expect(shiftAt(shifts, now)?.name).toBe(name);
});

test('a group waits from its assignment to the team', () => {
  const first = waitOf(null, 'night', 0);
  const later = waitOf(first, 'night', 5 * MINUTE);
  expect(later).toBe(first);
  expect([isDue(later, 10, 9 * MINUTE), isDue(later, 10, 10 * MINUTE)]).toEqual([false, true]);
  expect(waitOf(first, 'day', 10 * MINUTE)).toEqual({ team: 'day', since: 10 * MINUTE });
});
