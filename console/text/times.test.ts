import { describe, expect, test } from '@jest/globals';
import { duration, openTimes } from './times.ts';

const AT = Date.parse('2026-11-23T09:20:31.400Z');
const S = 1_000;

describe('how long something lasts', () => {
  test.each([
    [-5 * S, '0s'],
    [0, '0s'],
    [59_999, '59s'],
    [60 * S, '1m'],
    [3_599 * S, '59m'],
    [3_600 * S, '1h'],
    [7_500 * S, '2h 5m'],
    [86_400 * S, '1d'],
    [90_000 * S, '1d 1h'],
  ])('%d ms: %s', (ms, expected) => {
    expect(duration(ms)).toBe(expected);
  });
});

describe('a time of day', () => {
  test.each([
    ['UTC', '09:20:31', 'UTC'],
    ['Europe/Berlin', '10:20:31', 'UTC+1'],
    ['Asia/Kolkata', '14:50:31', 'UTC+5:30'],
  ])('in %s is %s and named', (zone, expected, word) => {
    const { clockTime, zoneWord, fullTime } = openTimes()(zone);
    expect([clockTime(AT), zoneWord(AT)]).toEqual([expected, word]);
    expect(fullTime(AT)).toBe(`23 Nov 2026, ${expected} ${word}`);
  });

  test('is said with the day of today where two times stand side by side', () => {
    expect(openTimes()('UTC').dated(AT, AT + 60 * S)).toBe('23 Nov 09:20');
  });

  test.each([
    [AT + 60 * S, '09:20:31'],
    [AT + 86_400 * S, '23 Nov 09:20'],
    [AT + 60 * 86_400 * S, '23 Nov 2026 09:20'],
  ])('says as much of the day as is needed', (now, expected) => {
    expect(openTimes()('UTC').when(AT, now)).toBe(expected);
  });

  test.each([
    ['2026-10-31T12:00:00Z', '2026-11-28T12:00:00Z', '31 Oct 08:00 UTC−4'],
    ['2026-10-31T12:00:00Z', '2026-10-31T20:00:00Z', '08:00:00'],
    ['2026-11-02T12:00:00Z', '2026-11-28T12:00:00Z', '2 Nov 07:00'],
    ['2026-11-01T05:30:00Z', '2026-11-01T20:00:00Z', '01:30:00 UTC−4'],
    ['2026-11-01T06:30:00Z', '2026-11-01T20:00:00Z', '01:30:00 UTC−5'],
    ['2026-11-01T06:30:00Z', '2026-11-28T20:00:00Z', '1 Nov 01:30 UTC−5'],
    ['2026-11-01T08:00:00Z', '2026-11-28T20:00:00Z', '1 Nov 03:00'],
    ['2026-11-28T12:00:00Z', '2027-03-20T12:00:00Z', '28 Nov 2026 07:00 UTC−5'],
  ])('%s is told at %s in New York with the offset of its own day: %s', (at, now, expected) => {
    const { when, dated } = openTimes()('America/New_York');
    expect(when(Date.parse(at), Date.parse(now))).toBe(expected);
    expect(dated(Date.parse(at), Date.parse(now)).endsWith(/ UTC.*/.exec(expected)?.[0] ?? ':00')).toBe(true);
  });
});
