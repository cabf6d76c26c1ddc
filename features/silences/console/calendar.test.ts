import { expect, test } from '@jest/globals';
import { localText, zonedMs } from '#console/text/zoned-time.ts';
import { barsOf, calendarDays, calendarEdges } from './calendar.ts';

const zone = 'Europe/Berlin';
const local = { toLocal: (ms: number) => localText(ms, zone), toMs: (text: string) => zonedMs(text, zone), zone };

test('a fortnight has a window on each of its Sundays, by the clock on the wall', () => {
  // The clocks go back on 25 October.
  const edges = calendarEdges(Date.parse('2026-10-15T12:00Z'), local);
  expect([edges[0], edges.at(-1)]).toEqual([Date.parse('2026-10-14T22:00Z'), Date.parse('2026-10-28T23:00Z')]);
  const recurrence = { weekdays: ['sun' as const], from: '01:00', to: '04:00', zone };
  const bars = barsOf({ startsAt: '2026-10-01T00:00Z', endsAt: '2026-12-01T00:00Z', recurrence }, edges);
  expect(bars.map(({ from, to }) => [new Date(from).toISOString(), (to - from) / 3_600_000])).toEqual([
    ['2026-10-17T23:00:00.000Z', 3],
    ['2026-10-24T23:00:00.000Z', 4],
  ]);
  const days = calendarDays(edges);
  expect(days).toHaveLength(14);
  expect((days[10]?.width ?? 0) / (days[0]?.width ?? 1)).toBeCloseTo(25 / 24);
});

test('a silence is cut at the edges of the calendar', () => {
  const edges = calendarEdges(Date.parse('2026-11-30T12:00Z'), local);
  const [bar] = barsOf({ startsAt: '2026-01-01T00:00Z', endsAt: '2027-12-01T00:00Z' }, edges);
  expect(bar).toMatchObject({ left: 0, width: 1 });
});
