import { expect, test } from '@jest/globals';
import type { MemberShown } from '#console/api/group-parts.ts';
import { lanesOf } from './lanes.ts';

const at = (second: number): string => new Date(second * 1_000).toISOString();
const member = (ci: string, from: number, to: number | null): MemberShown =>
  ({
    eventId: `${ci}${from}`,
    title: ci,
    severity: 'major',
    ciId: { _id: ci, name: ci.toUpperCase(), type: 'server' },
    firstOccurrence: at(from),
    lastOccurrence: at(from),
    status: to === null ? 'open' : 'resolved',
    ...(to !== null && { resolvedAt: at(to) }),
  }) as unknown as MemberShown;

const MEMBERS = [member('b', 0, 50), member('a', 20, null), member('b', 60, 80), member('c', 10, 5)];

test('the cause comes first, then who began first; what is open lasts until now', () => {
  const lanes = lanesOf(MEMBERS, 'a', 100_000, 10);
  expect(lanes.map(({ name, marks }) => [name, marks.map(({ from, to }) => [from, to])])).toEqual([
    ['A', [[0.2, 1]]],
    [
      'B',
      [
        [0, 0.5],
        [0.6, 0.8],
      ],
    ],
    ['C', [[0.1, 0.1]]],
  ]);
});

test('only so many lanes are drawn', () => {
  expect(lanesOf(MEMBERS, null, 100_000, 1).map(({ id }) => id)).toEqual(['b']);
  expect(lanesOf([], null, 0, 5)).toEqual([]);
});
