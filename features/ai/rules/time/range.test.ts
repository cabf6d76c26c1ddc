import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { readRange } from './range.ts';

/** A Monday. */
const NOW = Date.parse('2026-11-23T22:26:10.000Z');
const HOUR = 3_600_000;
const shown = (said: Parameters<typeof readRange>[0], now = NOW, zone = 'UTC'): string | null => {
  const range = readRange(said, now, zone);
  const time = (at: number) => new Date(at).toISOString().slice(0, 16).replace('T', ' ');
  return range && `${time(range.from)} → ${time(range.to)}`;
};

const NOW_TEXT = '2026-11-23 22:26';

describe('what is read', () => {
  test.each([
    ['24h', `2026-11-22 22:26 → ${NOW_TEXT}`],
    ['last_30_days', `2026-10-24 22:26 → ${NOW_TEXT}`],
    ['Last 24 hours', `2026-11-22 22:26 → ${NOW_TEXT}`],
    ['past 90 min', `2026-11-23 20:56 → ${NOW_TEXT}`],
    ['over the last two weeks', `2026-11-09 22:26 → ${NOW_TEXT}`],
    ['last couple of days', `2026-11-21 22:26 → ${NOW_TEXT}`],
    ['last half an hour', `2026-11-23 21:56 → ${NOW_TEXT}`],
    ['last fortnight', `2026-11-09 22:26 → ${NOW_TEXT}`],
    ['past 3 months', `2026-08-23 22:26 → ${NOW_TEXT}`],
    ['today', `2026-11-23 00:00 → ${NOW_TEXT}`],
    ['yesterday', '2026-11-22 00:00 → 2026-11-23 00:00'],
    ['the day before yesterday', '2026-11-21 00:00 → 2026-11-22 00:00'],
    ['this morning', '2026-11-23 00:00 → 2026-11-23 12:00'],
    ['yesterday afternoon', '2026-11-22 12:00 → 2026-11-22 18:00'],
    ['last night', '2026-11-22 18:00 → 2026-11-23 06:00'],
    ['at lunch', '2026-11-23 11:30 → 2026-11-23 13:30'],
    ['yesterday lunchtime', '2026-11-22 11:30 → 2026-11-22 13:30'],
    ['at 5pm', '2026-11-23 16:30 → 2026-11-23 17:30'],
    ['around noon', '2026-11-23 11:30 → 2026-11-23 12:30'],
    ['17:00 yesterday', '2026-11-22 16:30 → 2026-11-22 17:30'],
    ['at 22:10', `2026-11-23 21:40 → ${NOW_TEXT}`],
    ['last hour', `2026-11-23 21:26 → ${NOW_TEXT}`],
    ['last day', `2026-11-22 22:26 → ${NOW_TEXT}`],
    ['last week', '2026-11-16 00:00 → 2026-11-23 00:00'],
    ['past week', `2026-11-16 22:26 → ${NOW_TEXT}`],
    ['the week before last', '2026-11-09 00:00 → 2026-11-16 00:00'],
    ['two weeks ago', '2026-11-09 00:00 → 2026-11-16 00:00'],
    ['this month', `2026-11-01 00:00 → ${NOW_TEXT}`],
    ['last month', '2026-10-01 00:00 → 2026-11-01 00:00'],
    ['last quarter', '2026-07-01 00:00 → 2026-10-01 00:00'],
    ['q3', '2026-07-01 00:00 → 2026-10-01 00:00'],
    ['last year', '2025-01-01 00:00 → 2026-01-01 00:00'],
    ['month to date', `2026-11-01 00:00 → ${NOW_TEXT}`],
    ['ytd', `2026-01-01 00:00 → ${NOW_TEXT}`],
    ['monday', `2026-11-23 00:00 → ${NOW_TEXT}`],
    ['last monday', '2026-11-16 00:00 → 2026-11-17 00:00'],
    ['since monday', `2026-11-23 00:00 → ${NOW_TEXT}`],
    ['since friday', `2026-11-20 00:00 → ${NOW_TEXT}`],
    ['since 3 days ago', `2026-11-20 00:00 → ${NOW_TEXT}`],
    ['since the beginning of the month', `2026-11-01 00:00 → ${NOW_TEXT}`],
    ['since 10:00', `2026-11-23 10:00 → ${NOW_TEXT}`],
    ['since yesterday at 6pm', `2026-11-22 18:00 → ${NOW_TEXT}`],
    ['since 2026-11-03T10:00:00+02:00', `2026-11-03 08:00 → ${NOW_TEXT}`],
    ['after 2026-11-03', `2026-11-04 00:00 → ${NOW_TEXT}`],
    ['from yesterday on', `2026-11-22 00:00 → ${NOW_TEXT}`],
    ['on 2026-11-03', '2026-11-03 00:00 → 2026-11-04 00:00'],
    ['2026-11-03', '2026-11-03 00:00 → 2026-11-04 00:00'],
    ['2026-10', '2026-10-01 00:00 → 2026-11-01 00:00'],
    ['3.11.2026', '2026-11-03 00:00 → 2026-11-04 00:00'],
    ['11/15/2026', '2026-11-15 00:00 → 2026-11-16 00:00'],
    ['november 3rd', '2026-11-03 00:00 → 2026-11-04 00:00'],
    ['the 3rd of November 2025', '2025-11-03 00:00 → 2025-11-04 00:00'],
    ['on the 3rd', '2026-11-03 00:00 → 2026-11-04 00:00'],
    ['december 24', '2025-12-24 00:00 → 2025-12-25 00:00'],
    ['in october', '2026-10-01 00:00 → 2026-11-01 00:00'],
    ['in december', '2025-12-01 00:00 → 2026-01-01 00:00'],
    ['in may', '2026-05-01 00:00 → 2026-06-01 00:00'],
    ['in 2025', '2025-01-01 00:00 → 2026-01-01 00:00'],
    ['week of november 4', '2026-11-02 00:00 → 2026-11-09 00:00'],
    ['over the weekend', '2026-11-21 00:00 → 2026-11-23 00:00'],
    ['between 2026-11-01 and 2026-11-05', '2026-11-01 00:00 → 2026-11-06 00:00'],
    ['2026-11-01..2026-11-05', '2026-11-01 00:00 → 2026-11-06 00:00'],
    ['2026-11-01/2026-11-05', '2026-11-01 00:00 → 2026-11-06 00:00'],
    ['from monday to wednesday', '2026-11-16 00:00 → 2026-11-19 00:00'],
    ['october to november', `2026-10-01 00:00 → ${NOW_TEXT}`],
    ['between 10 and 14 November', '2026-11-10 00:00 → 2026-11-15 00:00'],
    ['november 10 to 14', '2026-11-10 00:00 → 2026-11-15 00:00'],
    ['between 9 and 11 yesterday', '2026-11-22 09:00 → 2026-11-22 11:00'],
    ['between 2 and 4 pm today', '2026-11-23 14:00 → 2026-11-23 16:00'],
    ['from 9:00 to 17:00 on friday', '2026-11-20 09:00 → 2026-11-20 17:00'],
    ['yesterday between 9am and noon', '2026-11-22 09:00 → 2026-11-22 12:00'],
    ['all time', `1970-01-01 00:00 → ${NOW_TEXT}`],
  ])('%s', (said, expected) => {
    expect(shown(said)).toBe(expected);
  });

  test.each([
    [{ from: '2026-11-01', to: '2026-11-05' }, '2026-11-01 00:00 → 2026-11-06 00:00'],
    [{ from: '2026-11-01T10:00:00Z', to: 1_795_000_000 }, '2026-11-01 10:00 → 2026-11-18 11:06'],
    [{ from: 1_790_000_000_000, to: '2026-11-01T00:00:00Z' }, '2026-09-21 14:13 → 2026-11-01 00:00'],
    [{ from: 'yesterday' }, `2026-11-22 00:00 → ${NOW_TEXT}`],
  ])('%j', (said, expected) => {
    expect(shown(said)).toBe(expected);
  });
});

describe('what is not read', () => {
  test.each([
    '',
    'tomorrow',
    'next week',
    'foo',
    'last',
    'last 0 days',
    'since',
    'may',
    'sun',
    '03/11/2026',
    'in ten minutes',
    '2026-02-30',
    '2026-13',
    'on 31 february',
    'yesterday foo',
    'every monday',
    'before monday',
    'a few days',
    '25:00',
    'between this week and last week',
    'since 2027',
    '2026-11-24',
    'last 99999 years',
    'x'.repeat(300),
  ])('%s', (said) => {
    expect(shown(said)).toBeNull();
  });

  test.each([{ from: 'x' }, { from: '2026-11-05', to: '2026-11-01' }, { from: -1 }, { from: Number.NaN }])(
    '%j',
    (said) => {
      expect(shown(said)).toBeNull();
    },
  );
});

describe('clocks that are put forward or back', () => {
  const hours = (said: string, now: string, zone: string): number => {
    const { from, to } = readRange(said, Date.parse(now), zone)!;
    return (to - from) / HOUR;
  };
  test.each([
    ['yesterday', '2026-10-26T09:00:00Z', 'Europe/Berlin', 25],
    ['yesterday', '2026-03-30T09:00:00Z', 'Europe/Berlin', 23],
    ['last 24 hours', '2026-03-29T09:00:00Z', 'Europe/Berlin', 24],
    ['last 1 days', '2026-03-29T09:00:00Z', 'Europe/Berlin', 23],
    ['last week', '2026-10-26T09:00:00Z', 'Europe/Berlin', 169],
    ['yesterday', '2026-11-02T12:00:00Z', 'America/New_York', 25],
    ['yesterday', '2026-04-05T18:00:00Z', 'Australia/Lord_Howe', 24.5],
    ['yesterday', '2026-11-23T12:00:00Z', 'Asia/Kathmandu', 24],
  ])('%s, asked %s in %s, has %d hours', (said, now, zone, expected) => {
    expect(hours(said, now, zone)).toBe(expected);
  });

  test('after midnight, tonight began yesterday', () => {
    const at = Date.parse('2026-11-23T02:30:00Z');
    expect(shown('tonight', at)).toBe('2026-11-22 18:00 → 2026-11-23 02:30');
    expect(shown('the night prior to tonight', at)).toBe('2026-11-21 18:00 → 2026-11-22 06:00');
  });

  test('days begin at midnight of the zone', () => {
    expect(shown('today', Date.parse('2026-11-23T22:30:00Z'), 'Asia/Tokyo')).toBe(
      '2026-11-23 15:00 → 2026-11-23 22:30',
    );
    expect(shown('since 02:30', Date.parse('2026-03-29T10:00:00Z'), 'Europe/Berlin')).toBe(
      '2026-03-29 01:30 → 2026-03-29 10:00',
    );
  });
});

test('no text throws, and what is read is a range of the past', () => {
  const words = [
    'last',
    'since',
    'between',
    'and',
    '3',
    'monday',
    'may',
    '2026-11-03',
    'weeks',
    'ago',
    'the',
    'of',
    '10:00',
  ];
  const text = fc.oneof(
    fc.string({ maxLength: 60 }),
    fc.array(fc.constantFrom(...words), { maxLength: 7 }).map((all) => all.join(' ')),
  );
  fc.assert(
    fc.property(text, fc.constantFrom('UTC', 'Europe/Berlin', 'Pacific/Apia'), (said, zone) => {
      const range = readRange(said, NOW, zone);
      if (range !== null) expect(0 <= range.from && range.from < range.to && range.to <= NOW).toBe(true);
    }),
    { numRuns: 500 },
  );
});
