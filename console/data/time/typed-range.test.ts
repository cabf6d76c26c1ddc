import { expect, test } from '@jest/globals';
import { typedRange } from './typed-range.ts';

const ms = (iso: string): string => String(Date.parse(iso));

test.each([
  [
    '2026-11-23T10:00',
    '2026-11-23T10:30',
    'UTC',
    { from: ms('2026-11-23T10:00Z'), to: ms('2026-11-23T10:30:59.999Z') },
  ],
  [
    '2026-11-23T10:00',
    '2026-11-23T10:00',
    'UTC',
    { from: ms('2026-11-23T10:00Z'), to: ms('2026-11-23T10:00:59.999Z') },
  ],
  ['2026-11-23T10:00', '', 'Europe/Berlin', { from: ms('2026-11-23T09:00Z'), to: null }],
  ['', '2026-07-01T00:00', 'Europe/Berlin', { from: null, to: ms('2026-06-30T22:00:59.999Z') }],
  ['', '', 'UTC', 'Enter a start or an end time'],
  ['2026-11-23T10:01', '2026-11-23T10:00', 'UTC', 'The end must be after the start'],
])('%s to %s in %s', (from, to, zone, expected) => {
  expect(typedRange(from, to, zone)).toEqual(expected);
});
