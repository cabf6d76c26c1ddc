import { expect, test } from '@jest/globals';
import { calendarOf, HOUR_MS } from '#features/ai/rules/time/calendar.ts';
import { quietWindows } from './quiet-hours.ts';

const [DAY, WEEK] = [24 * HOUR_MS, 7 * 24 * HOUR_MS];
/** A Wednesday, 10:30 UTC. */
const NOW = Date.UTC(2026, 10, 18, 10, 30);
const EVENING = Date.UTC(2026, 10, 18, 18);
const asked = { now: NOW, calendar: calendarOf('UTC'), counts: new Map<number, number>(), taken: [] };

test('without events the first time after business hours of each day', () => {
  const found = quietWindows(asked, 2);
  expect(found.map(({ from }) => from)).toEqual([EVENING, EVENING + 6 * HOUR_MS]);
  expect(found[0]).toEqual({ from: EVENING, to: EVENING + 2 * HOUR_MS, events: 0 });
});

test('hours in which events began in earlier weeks come later', () => {
  const counts = new Map([0, 1, 2, 3, 4].map((n) => [EVENING - WEEK + n * HOUR_MS, 3] as const));
  const [first] = quietWindows({ ...asked, counts }, 1);
  expect(first?.from).toBe(EVENING + 5 * HOUR_MS);
});

test('times of other maintenance are left out, and so are business hours', () => {
  const taken = [{ from: NOW, to: NOW + DAY }];
  const all = quietWindows({ ...asked, taken }, 7);
  expect(all[0]?.from).toBe(EVENING + DAY);
  for (const { from } of all) {
    const hour = new Date(from).getUTCHours();
    const isWeekend = [0, 6].includes(new Date(from).getUTCDay());
    expect(isWeekend || hour >= 18 || hour <= 6).toBe(true);
  }
});
