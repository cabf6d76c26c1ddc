import { expect, test } from '@jest/globals';
import type { MemberData } from '#console/api/group-parts.ts';
import { lanesOf, lanesSpan, ticksOf } from './lanes.ts';

const at = (second: number): string => new Date(second * 1_000).toISOString();
const member = (ci: string, from: number, to: number | null): MemberData =>
  ({
    eventId: `${ci}${from}`,
    title: ci,
    severity: 'major',
    ciId: { _id: ci, name: ci.toUpperCase(), type: 'server' },
    firstOccurrence: at(from),
    lastOccurrence: at(from),
    status: to === null ? 'open' : 'resolved',
    ...(to !== null && { resolvedAt: at(to) }),
  }) as unknown as MemberData;

const MEMBERS = [member('b', 0, 50), member('a', 20, null), member('b', 60, 80), member('c', 10, 5)];

test('the cause comes first, then who began first; what is open lasts until now', () => {
  const lanes = lanesOf(MEMBERS, 'a', 100_000);
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

test('no members have no lanes', () => {
  expect(lanesOf([], null, 7)).toEqual([]);
  expect(lanesSpan([], 7)).toEqual({ from: 7, to: 7 });
});

test('what is worse lies over what came later', () => {
  const members = [
    { ...member('a', 0, null), severity: 'critical' as const },
    { ...member('a', 20, 30), severity: 'warning' as const },
    { ...member('a', 40, null), severity: 'info' as const },
  ];
  expect(lanesOf(members, null, 100_000)[0]?.marks.map(({ severity }) => severity)).toEqual([
    'info',
    'warning',
    'critical',
  ]);
});

const clock = (text: string): number => Date.parse(`2026-11-28T${text}Z`);
test.each([
  ['10:00:03', '10:06:00', ['10:02:00', '10:04:00', '10:06:00']],
  ['10:00:00', '10:00:02', ['10:00:00', '10:00:01', '10:00:02']],
  ['09:50:00', '11:10:00', ['10:00:00', '10:30:00', '11:00:00']],
  ['00:10:00', '23:59:59', ['06:00:00', '12:00:00', '18:00:00']],
  ['10:00:00', '10:00:00', ['10:00:00']],
  // Longer than four minutes, and without a multiple of five.
  ['10:40:17', '10:44:22', ['10:42:00', '10:44:00']],
])('from %s to %s the axis says %j', (from, to, expected) => {
  expect(ticksOf({ from: clock(from), to: clock(to) })).toEqual(expected.map(clock));
});

test('however long it lasted, the axis has at most four times, all within it', () => {
  for (let length = 1; length < 1e13; length = Math.ceil(length * 1.7)) {
    const ticks = ticksOf({ from: 12_345, to: 12_345 + length });
    expect(ticks.length).toBeLessThanOrEqual(4);
    expect(ticks.every((at) => at >= 12_345 && at <= 12_345 + length)).toBe(true);
    if (length > 10_000) expect(ticks.length).toBeGreaterThan(0);
  }
});
