import { describe, expect, test } from '@jest/globals';
import { isWithin, maintenanceWindow, overlap } from '#domain/topology/maintenance-window.ts';
import { changeTypeOf } from './change-type.ts';
import { isBeforeRest, isBusinessHours, localTime } from './local-time.ts';
import { plannedDuration } from './planned-duration.ts';

test.each([
  ['restart', 'restart'],
  ['Reboot the node', 'restart'],
  ['security-update', 'patch'],
  ['update', 'upgrade'],
  ['database upgrade', 'database'],
  ['configuration_change', 'config'],
  ['Firewall rule', 'network'],
  ['replace disk', 'hardware'],
  ['OS upgrade', 'upgrade'],
  ['decommission database', 'decommission'],
  ['other', 'other'],
  ['blessing', null],
  ['constructor', null],
  ['', null],
])('%s is %s', (text, type) => expect(changeTypeOf(text)).toBe(type));

test.each([
  ['2h30m', 150],
  ['2h', 120],
  ['1.5h', 90],
  ['45m', 45],
  ['45 min', 45],
  ['1d 2h', 1_560],
  ['90', 90],
  ['PT2H30M', 150],
  ['P1D', 1_440],
  ['pt90s', 1.5],
  ['', null],
  ['0', null],
  ['P', null],
  ['PT', null],
  ['2 weeks', null],
  ['30m2h', null],
  ['-5', null],
  ['91d', null],
])('%s lasts %s minutes', (text, minutes) =>
  expect(plannedDuration(text)).toBe(minutes === null ? null : minutes * 60_000),
);

describe('Times of a time zone', () => {
  const at = (iso: string, zone = 'UTC') => localTime(Date.parse(iso), zone);
  test.each([
    ['2026-11-20T23:30:00Z', 'Europe/Berlin', { date: '2026-11-21', weekday: 6, hour: 0 }],
    ['2026-11-20T23:30:00Z', 'America/New_York', { date: '2026-11-20', weekday: 5, hour: 18 }],
    ['2026-11-20T00:00:00Z', 'UTC', { date: '2026-11-20', weekday: 5, hour: 0 }],
  ])('%s in %s', (iso, zone, expected) => expect(at(iso, zone)).toEqual(expected));

  const NONE: ReadonlySet<string> = new Set();
  test.each([
    ['2026-11-18T08:00:00Z', true],
    ['2026-11-18T07:59:00Z', false],
    ['2026-11-18T17:59:00Z', true],
    ['2026-11-18T18:00:00Z', false],
    ['2026-11-21T10:00:00Z', false],
    ['2026-11-22T10:00:00Z', false],
  ])('%s is in business hours: %s', (iso, expected) => expect(isBusinessHours(at(iso), NONE)).toBe(expected));

  test.each([
    ['2026-11-20T15:00:00Z', true],
    ['2026-11-20T14:59:00Z', false],
    ['2026-11-19T16:00:00Z', false],
    ['2026-12-24T09:00:00Z', true],
  ])('%s is before a rest: %s', (iso, expected) =>
    expect(isBeforeRest(at(iso), new Set(['2026-12-25']))).toBe(expected),
  );

  test('a public holiday has no business hours', () => {
    expect(isBusinessHours(at('2026-12-25T10:00:00Z'), new Set(['2026-12-25']))).toBe(false);
  });
});

describe('Maintenance windows', () => {
  const [from, to] = [Date.parse('2026-11-21T22:00:00Z'), Date.parse('2026-11-22T02:00:00Z')];
  test.each([
    ['2026-11-21T22:00:00Z', { from, to }],
    [from, { from, to }],
    [from / 1_000, { from, to }],
    ['2026-11-21T22:00:00Z/2026-11-22T02:00:00Z', { from, to }],
    [
      { start: '2026-11-21T22:00:00Z', end: '2026-11-22T02:00:00Z' },
      { from, to },
    ],
    ['2026-11-22T02:00:00Z/2026-11-21T22:00:00Z', null],
    ['Sundays', null],
    [undefined, null],
    [null, null],
    [[], null],
  ])('%j', (value, expected) => expect(maintenanceWindow(value)).toEqual(expected));

  test('spans that only touch do not overlap', () => {
    expect([overlap({ from: 0, to: 5 }, { from: 5, to: 9 }), overlap({ from: 0, to: 6 }, { from: 5, to: 9 })]).toEqual([
      false,
      true,
    ]);
    expect([
      isWithin({ from: 1, to: 5 }, { from: 1, to: 5 }),
      isWithin({ from: 1, to: 6 }, { from: 1, to: 5 }),
    ]).toEqual([true, false]);
  });
});
