import { expect, test } from '@jest/globals';
import { foreignSilences } from './foreign-silences.ts';

const span = { startsAt: '2026-11-20T10:00:00.000Z', endsAt: '2027-11-20T10:00:00.000Z' };

const CONFIG = `
route:
  receiver: all
  mute_time_intervals: [everything]
  routes:
    - matchers: ['team="web"', 'severity=~"warning|info"']
      mute_time_intervals: [nights, holidays]
      routes:
        - match: { service: batch }
          mute_time_intervals: [weekends, gone]
time_intervals:
  - name: nights
    time_intervals:
      - weekdays: ['monday:thursday']
        times: [{ start_time: '22:00', end_time: '24:00' }, { start_time: '00:00', end_time: '06:00' }]
        location: Europe/Berlin
  - name: everything
    time_intervals: [{}]
mute_time_intervals:
  - name: weekends
    time_intervals: [{ weekdays: [saturday, sunday] }]
  - name: holidays
    time_intervals: [{ months: ['december'], days_of_month: ['24:26'] }]
`;

test('mute times become recurring silences of what their routes match', () => {
  const web = [
    { name: 'team', op: '=', value: 'web' },
    { name: 'severity', op: '=~', value: 'warning|info' },
  ];
  const weekdays = ['mon', 'tue', 'wed', 'thu'];
  const nights = { matcher: { labels: web }, ...span, reason: 'Mute time nights' };
  expect(foreignSilences(CONFIG, span)).toEqual([
    { name: 'everything', skipped: 'its route matches all alerts' },
    { body: { ...nights, recurrence: { weekdays, from: '22:00', to: '00:00', zone: 'Europe/Berlin' } } },
    { body: { ...nights, recurrence: { weekdays, from: '00:00', to: '06:00', zone: 'Europe/Berlin' } } },
    { name: 'holidays', skipped: "days_of_month, months can't recur here" },
    {
      body: {
        matcher: { labels: [...web, { name: 'service', op: '=', value: 'batch' }] },
        ...span,
        recurrence: { weekdays: ['sat', 'sun'], from: '00:00', to: '00:00', zone: 'UTC' },
        reason: 'Mute time weekends',
      },
    },
    { name: 'gone', skipped: 'no such time interval' },
  ]);
});

test('silences that have not ended are taken over, with the names of their authors', () => {
  const matchers = [
    { name: 'alertname', value: 'Disk.*', isRegex: true, isEqual: true },
    { name: 'team', value: 'web', isRegex: false, isEqual: false },
  ];
  const silence = { id: 'a', matchers, comment: 'new disks', createdBy: 'ann' };
  const file = [
    { ...silence, startsAt: '2026-11-20T08:00:00Z', endsAt: '2026-11-20T12:00:00Z' },
    { ...silence, startsAt: '2026-11-19T08:00:00Z', endsAt: '2026-11-19T12:00:00Z' },
  ];
  expect(foreignSilences(JSON.stringify(file), span)).toEqual([
    {
      body: {
        matcher: {
          labels: [
            { name: 'alertname', op: '=~', value: 'Disk.*' },
            { name: 'team', op: '!=', value: 'web' },
          ],
        },
        startsAt: span.startsAt,
        endsAt: '2026-11-20T12:00:00.000Z',
        reason: 'new disks – ann',
      },
    },
    { name: 'a', skipped: 'it has ended' },
  ]);
});

test('another file is none of both', () => {
  expect(foreignSilences('a: 1', span)).toBeNull();
});
