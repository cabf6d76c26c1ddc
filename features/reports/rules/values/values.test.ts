import { describe, expect, test } from '@jest/globals';
import { clockIn, decimal, duration, percent, plain, printable, shown } from './values.ts';

const clock = clockIn('Europe/Berlin');
const [S, M, H, D] = [1_000, 60_000, 3_600_000, 86_400_000];

test.each([
  [0, '0'],
  [999, '999'],
  [1_234_567, '1,234,567'],
  [0.1234, '0.12'],
  [12.5, '12.5'],
  [-0.001, '0'],
  [-1_234.5, '−1,234.5'],
])('%d is %s', (value, text) => expect(decimal(value, 2)).toBe(text));

test.each([
  [0, '0s'],
  [250, '0.25s'],
  [45 * S, '45s'],
  [90 * S, '1m 30s'],
  [12 * M, '12m'],
  [59.99 * M, '60m'],
  [3 * H, '3h'],
  [3 * H + 5 * M, '3h 5m'],
  [26 * H, '1d 2h'],
  [23.999 * H, '24h'],
  [400 * D, '400d'],
])('%d ms are %s', (ms, text) => expect(duration(ms)).toBe(text));

describe('a value for people, and the same for programs', () => {
  const AT = Date.parse('2026-11-20T23:30:00Z');
  test.each([
    [null, 'count', '–', null],
    ['', 'text', '–', ''],
    [1_234, 'count', '1,234', 1_234],
    [0.1234, 'share', '12.3%', 0.1234],
    [90_000, 'duration', '1m 30s', 90],
    [AT, 'time', '21 Nov 2026, 00:30', '2026-11-20T23:30:00.000Z'],
    [AT, 'day', '21 Nov 2026', '2026-11-20T23:30:00.000Z'],
    ['a\u202Eb\nc\u0000', 'text', 'ab c', 'a\u202Eb\nc\u0000'],
  ] as const)('%p of kind %s', (value, kind, text, data) => {
    expect(shown(value, kind, clock)).toBe(text);
    expect(plain(value, kind)).toBe(data);
  });
  test.each([
    [0, '0%'],
    [0.000_4, '< 0.1%'],
    [0.001, '0.1%'],
    [0.999_6, '99.9%'],
    [1, '100%'],
    [1.5, '150%'],
    [0.1 + 0.2, '30%'],
  ])('a share of %d is %s', (share, text) => expect(percent(share)).toBe(text));
});

test('a text ends after 500 characters', () => {
  expect(printable('x'.repeat(500))).toBe('x'.repeat(500));
  expect(printable('x'.repeat(501))).toBe(`${'x'.repeat(499)}…`);
});
