import { expect, test } from '@jest/globals';
import { nextRun, type ScheduleTimes } from './schedule.ts';

const times: ScheduleTimes = { every: 'day', hour: 8, minute: 30, weekday: 1, zone: 'UTC' };

// 2026-11-20 is a Friday.
test.each([
  ['later today', {}, '2026-11-20T08:00:00Z', '2026-11-20T08:30:00.000Z'],
  ['tomorrow', {}, '2026-11-20T08:30:00Z', '2026-11-21T08:30:00.000Z'],
  ['in its zone', { zone: 'Europe/Berlin' }, '2026-11-20T07:00:00Z', '2026-11-20T07:30:00.000Z'],
  ['over a change of clocks', { zone: 'Europe/Berlin' }, '2026-03-28T12:00:00Z', '2026-03-29T06:30:00.000Z'],
  ['next Monday', { every: 'week' as const }, '2026-11-20T08:00:00Z', '2026-11-23T08:30:00.000Z'],
  ['this Sunday', { every: 'week' as const, weekday: 7 }, '2026-11-20T08:00:00Z', '2026-11-22T08:30:00.000Z'],
  ['next month', { every: 'month' as const }, '2026-11-20T08:00:00Z', '2026-12-01T08:30:00.000Z'],
])('a schedule runs %s', (_, more, after, at) => {
  expect(new Date(nextRun({ ...times, ...more }, Date.parse(after))).toISOString()).toBe(at);
});
