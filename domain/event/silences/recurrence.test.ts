import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isZone } from '#domain/texts/time-zone.ts';
import { holding, type Recurrence, WEEKDAYS } from './recurrence.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const at = (text: string): number => Date.parse(text);
const FOREVER = { startsAt: 0, endsAt: Number.POSITIVE_INFINITY };
const NIGHTS: Recurrence = { weekdays: ['fri', 'sat'], from: '22:00', to: '06:00', zone: 'Europe/Berlin' };

describe('a recurring silence', () => {
  test.each([
    ['before the window', '2026-11-20T20:59:00Z', null],
    ['at its start', '2026-11-20T21:00:00Z', '2026-11-21T05:00:00Z'],
    ['after midnight, on a day without a start', '2026-11-22T04:59:59Z', '2026-11-22T05:00:00Z'],
    ['at its end', '2026-11-21T05:00:00Z', null],
    ['on another day', '2026-11-23T22:00:00Z', null],
    ['through the start of summer time, an hour less', '2026-03-28T21:00:00Z', '2026-03-29T04:00:00Z'],
    ['through its end, an hour more', '2026-10-24T20:00:00Z', '2026-10-25T05:00:00Z'],
  ])('%s', (_, now, until) => {
    expect(holding({ ...FOREVER, recurrence: NIGHTS })(at(now))).toBe(until === null ? null : at(until));
  });

  test('holds within its start and end only', () => {
    const holds = holding({
      startsAt: at('2026-11-20T22:00:00Z'),
      endsAt: at('2026-11-20T23:00:00Z'),
      recurrence: NIGHTS,
    });
    expect(holds(at('2026-11-20T21:30:00Z'))).toBeNull();
    expect(holds(at('2026-11-20T22:00:00Z'))).toBe(at('2026-11-20T23:00:00Z'));
    expect(holds(at('2026-11-20T23:00:00Z'))).toBeNull();
  });

  test('of the same start and end lasts a day', () => {
    const whole = { weekdays: ['sun'], from: '00:00', to: '00:00', zone: 'UTC' } as const;
    expect(holding({ ...FOREVER, recurrence: whole })(at('2026-11-22T12:00:00Z'))).toBe(at('2026-11-23T00:00:00Z'));
  });

  /** The clock on the wall, read in another way than the rule does. */
  const isIn = ({ weekdays, from, to, zone }: Recurrence, now: number): boolean => {
    const local = new Date(now).toLocaleString('sv-SE', { timeZone: zone });
    const clock = local.slice(11, 16);
    const day = (new Date(`${local.slice(0, 10)}T00:00:00Z`).getUTCDay() + 6) % 7;
    const begins = (index: number) => weekdays.includes(WEEKDAYS[index % 7] ?? 'mon');
    return from < to
      ? begins(day) && clock >= from && clock < to
      : (begins(day) && clock >= from) || (begins(day + 6) && clock < to);
  };
  test('ends at the first minute at which the clock on the wall is outside, over two years and in any zone', () => {
    const clock = fc.tuple(fc.integer({ min: 0, max: 23 }), fc.constantFrom('00', '15', '30', '59'));
    const zone = fc.constantFrom(
      'Europe/Berlin',
      'America/New_York',
      'Australia/Lord_Howe',
      'Asia/Kathmandu',
      'UTC',
      'Africa/Casablanca',
    );
    const time = clock.map(([hour, minute]) => `${String(hour).padStart(2, '0')}:${minute}`);
    const recurrence = fc.record({
      weekdays: fc.uniqueArray(fc.constantFrom(...WEEKDAYS), { minLength: 1 }),
      from: time,
      to: time,
      zone,
    });
    // Half of the instants are near a change of clocks.
    const changes = ['2026-03-29T01:00Z', '2026-10-25T01:00Z', '2027-03-14T07:00Z', '2026-04-04T15:00Z'].map(at);
    const minute = fc.oneof(
      fc.integer({ min: 0, max: 2 * 365 * 24 * 60 }).map((n) => at('2026-01-01T00:00Z') + n * MINUTE),
      fc.tuple(fc.constantFrom(...changes), fc.integer({ min: -600, max: 600 })).map(([time, n]) => time + n * MINUTE),
    );
    fc.assert(
      fc.property(recurrence, minute, (rule, now) => {
        const until = holding({ ...FOREVER, recurrence: rule })(now);
        expect(until !== null).toBe(isIn(rule, now));
        for (let time = now; until !== null && time < Math.min(until, now + DAY); time += 5 * MINUTE)
          expect(isIn(rule, time)).toBe(true);
        if (until !== null && rule.weekdays.length < 7) expect(isIn(rule, until)).toBe(false);
      }),
      { numRuns: 100 },
    );
  });

  test('zones are those of the IANA', () => {
    expect(['Europe/Berlin', 'UTC', 'Mars/Base'].map(isZone)).toEqual([true, true, false]);
  });
});
