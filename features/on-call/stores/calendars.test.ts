import { expect, test } from '@jest/globals';
import { calendars } from './calendars.ts';

const at = (text: string): number => Date.parse(text);
const file = (...events: readonly (readonly string[])[]): string =>
  [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Test//EN',
    'BEGIN:VTIMEZONE',
    'TZID:Europe/Berlin',
    'BEGIN:STANDARD',
    'DTSTART:19701025T030000',
    'RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU',
    'TZOFFSETFROM:+0200',
    'TZOFFSETTO:+0100',
    'END:STANDARD',
    'BEGIN:DAYLIGHT',
    'DTSTART:19700329T020000',
    'RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU',
    'TZOFFSETFROM:+0100',
    'TZOFFSETTO:+0200',
    'END:DAYLIGHT',
    'END:VTIMEZONE',
    ...events.flatMap((lines, n) => ['BEGIN:VEVENT', `UID:${n}`, 'DTSTAMP:20260101T000000Z', ...lines, 'END:VEVENT']),
    'END:VCALENDAR',
  ].join('\r\n');
const shifts = (text: string, from: string, to: string) =>
  calendars
    .shiftsOf(text, { from: at(from), to: at(to) })
    .map(({ name, mail, from, to }) => [name, mail, new Date(from).toISOString(), new Date(to).toISOString()]);

test('the attendee is on call, else the title says who; other days are left out', () => {
  const text = file(
    ['DTSTART:20261130T080000Z', 'DTEND:20261130T160000Z', 'SUMMARY:Day', 'ATTENDEE;CN=Ann:mailto:ann@example.com'],
    ['DTSTART:20261130T160000Z', 'DTEND:20261201T080000Z', 'SUMMARY:Bo'],
    ['DTSTART:20261001T160000Z', 'DTEND:20261002T080000Z', 'SUMMARY:Eve'],
  );
  expect(shifts(text, '2026-11-30T00:00Z', '2026-12-01T00:00Z')).toEqual([
    ['Ann', 'ann@example.com', '2026-11-30T08:00:00.000Z', '2026-11-30T16:00:00.000Z'],
    ['Bo', null, '2026-11-30T16:00:00.000Z', '2026-12-01T08:00:00.000Z'],
  ]);
});

test('a weekly shift follows the clock on the wall, and a changed week is another person', () => {
  const weekly = [
    'DTSTART;TZID=Europe/Berlin:20261012T080000',
    'DTEND;TZID=Europe/Berlin:20261012T200000',
    'RRULE:FREQ=WEEKLY;COUNT=4',
    'SUMMARY:Ann',
  ];
  const text = file(weekly).replace(
    'END:VCALENDAR',
    [
      'BEGIN:VEVENT',
      'UID:0',
      'DTSTAMP:20260101T000000Z',
      'RECURRENCE-ID;TZID=Europe/Berlin:20261019T080000',
      'DTSTART;TZID=Europe/Berlin:20261019T090000',
      'DTEND;TZID=Europe/Berlin:20261019T200000',
      'SUMMARY:Bo',
      'END:VEVENT',
      'END:VCALENDAR',
    ].join('\r\n'),
  );
  expect(shifts(text, '2026-10-15T00:00Z', '2026-10-30T00:00Z')).toEqual([
    ['Bo', null, '2026-10-19T07:00:00.000Z', '2026-10-19T18:00:00.000Z'],
    ['Ann', null, '2026-10-26T07:00:00.000Z', '2026-10-26T19:00:00.000Z'],
  ]);
});

test.each(['', 'hello', '<html></html>', 'BEGIN:VCARD\r\nVERSION:3.0\r\nEND:VCARD'])('%j is no calendar', (text) => {
  expect(() => calendars.shiftsOf(text, { from: 0, to: 1 })).toThrow();
});

test('a shift each second for ever has an end', () => {
  const text = file(['DTSTART:20200101T000000Z', 'DTEND:20200101T000001Z', 'RRULE:FREQ=SECONDLY', 'SUMMARY:Ann']);
  expect(shifts(text, '2026-11-30T00:00Z', '2026-12-01T00:00Z')).toEqual([]);
});

test('a rule without any day is refused in time', () => {
  const rule = 'RRULE:FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30';
  const text = file(['DTSTART:20200101T000000Z', 'DTEND:20200101T010000Z', rule, 'SUMMARY:Ann']);
  expect(() => shifts(text, '2026-11-30T00:00Z', '2026-12-01T00:00Z')).toThrow('a recurrence rule has no end');
});
