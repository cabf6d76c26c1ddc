import { describe, expect, test } from '@jest/globals';
import { clockTime, duration, fromLocalInput, fullTime, nextChangeMs, toLocalInput, when, zoneWord } from './times.ts';

const AT = Date.parse('2026-11-23T09:20:31.400Z');
const S = 1_000;

describe('how long something lasts', () => {
  test.each([
    [-5 * S, '0 s'],
    [0, '0 s'],
    [59_999, '59 s'],
    [60 * S, '1 min'],
    [3_599 * S, '59 min'],
    [3_600 * S, '1 h 00'],
    [7_500 * S, '2 h 05'],
    [86_400 * S, '1 d'],
    [90_000 * S, '1 d 1 h'],
  ])('%d ms: %s', (ms, expected) => {
    expect(duration(ms)).toBe(expected);
  });

  test.each([0, 1, 59_999, 60_000, 61_234, 3_599_999, 3_600_000, 86_399_999, 86_400_000])(
    'of %d ms, the words stay until the next change and not longer',
    (ms) => {
      const change = nextChangeMs(ms);
      expect(duration(ms + change - 1)).toBe(duration(ms));
      expect(duration(ms + change)).not.toBe(duration(ms));
    },
  );
});

describe('a time of day', () => {
  test.each([
    ['UTC', '09:20:31', 'UTC'],
    ['Europe/Berlin', '10:20:31', 'UTC+1'],
    ['Asia/Kolkata', '14:50:31', 'UTC+5:30'],
  ])('in %s is %s and named', (zone, expected, word) => {
    expect([clockTime(AT, zone), zoneWord(AT, zone)]).toEqual([expected, word]);
    expect(fullTime(AT, zone)).toBe(`23 Nov 2026, ${expected} ${word}`);
  });

  test.each([
    [AT + 60 * S, '09:20:31'],
    [AT + 86_400 * S, '23 Nov 09:20'],
    [AT + 60 * 86_400 * S, '23 Nov 2026 09:20'],
  ])('says as much of the day as is needed', (now, expected) => {
    expect(when(AT, now, 'UTC')).toBe(expected);
  });

  test.each(['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata'])('in %s survives an input field', (zone) => {
    const ms = Math.floor(AT / S) * S;
    expect(fromLocalInput(toLocalInput(ms, zone), zone)).toBe(ms);
  });

  test('that is none is null', () => {
    expect(fromLocalInput('soon', 'UTC')).toBeNull();
  });
});
