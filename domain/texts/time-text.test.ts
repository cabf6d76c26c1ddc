import { expect, test } from '@jest/globals';
import { parseTime } from './time-text.ts';

const TEN = Date.UTC(2026, 10, 20, 10);

test.each<[string | number, number]>([
  ['2026-11-20T10:00:00Z', TEN],
  ['2026-11-20T10:00Z', TEN],
  ['2026-11-20 12:00:00+02:00', TEN],
  ['2026-11-20T12:00:00+0200', TEN],
  ['2026-11-20T10:00:00.123456Z', TEN + 123],
  ['2028-02-29T00:00:00Z', Date.UTC(2028, 1, 29)],
  ['2026-12-31T23:59:59Z', Date.UTC(2026, 11, 31, 23, 59, 59)],
  [TEN / 1_000, TEN],
  [TEN, TEN],
  [String(TEN / 1_000), TEN],
  [0, 0],
])('%s is a time', (text, ms) => expect(parseTime(text)).toBe(ms));

test.each<string | number>([
  'yesterday',
  '2026-11-20',
  '2026-11-20T10:00:00',
  '2026-02-29T10:00:00Z',
  '2026-02-30T10:00:00Z',
  '2026-11-31T10:00:00Z',
  '2026-13-01T10:00:00Z',
  '2026-11-20T25:00:00Z',
  -1,
  1e300,
  Number.NaN,
])('%s is none', (text) => expect(parseTime(text)).toBeNull());
