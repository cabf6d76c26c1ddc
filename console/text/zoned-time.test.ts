import { expect, test } from '@jest/globals';
import { localText, zonedMs } from './zoned-time.ts';

const ZONES = ['UTC', 'Europe/Berlin', 'America/St_Johns', 'Asia/Kathmandu', 'Pacific/Apia', 'Australia/Lord_Howe'];
const MINUTE = 60_000;

test.each([
  ['2026-11-23T10:20', 'UTC', '2026-11-23T10:20:00.000Z'],
  ['2026-11-23T10:20', 'Europe/Berlin', '2026-11-23T09:20:00.000Z'],
  ['2026-07-01T00:00', 'Europe/Berlin', '2026-06-30T22:00:00.000Z'],
  ['2026-11-23T10:20', 'Asia/Kathmandu', '2026-11-23T04:35:00.000Z'],
  // Clocks go back at 03:00: 02:30 occurs twice.
  ['2026-10-25T02:30', 'Europe/Berlin', '2026-10-25T00:30:00.000Z'],
  ['2026-10-25T03:00', 'Europe/Berlin', '2026-10-25T02:00:00.000Z'],
])('%s in %s is %s', (text, zone, iso) => {
  expect(new Date(zonedMs(text, zone) ?? 0).toISOString()).toBe(iso);
});

test('what is no time is none', () => {
  expect(['', 'yesterday', '2026-13-01T00:00'].map((text) => zonedMs(text, 'UTC'))).toEqual([null, null, null]);
});

test.each(ZONES)('whatever %s shows in the course of two years is found again', (zone) => {
  for (let n = 0; n < 300; n++) {
    const at = Date.parse('2026-01-01T00:00Z') + n * 3_511 * MINUTE;
    const text = localText(at, zone);
    expect(localText(zonedMs(text, zone) ?? 0, zone)).toBe(text);
  }
});
