import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { arrivalOf } from '#test/setup/merge-kit.ts';
import {
  habitAt,
  noteHabit,
  openHabits,
  restoreHabits,
  rewindHabits,
  type SavedHabits,
  takeUnsaved,
} from './habits.ts';

const MINUTE = 60_000;
const DAY = 86_400_000;
const T = 1_800_000_000_000;
const says = (minutes: number, more: Parameters<typeof arrivalOf>[0] | object = {}) =>
  arrivalOf({ eventId: `e${minutes}`, time: T + minutes * MINUTE, ciId: 'db', template: 'disk low', ...more });

/** The rule read aloud: openings within half an hour of one that counts are one, those of the last half hour do not count yet. */
const bySearch = (minutes: readonly number[], at: number): number => {
  const counted: number[] = [];
  for (const minute of minutes) if (minute >= (counted.at(-1) ?? Number.NEGATIVE_INFINITY) + 30) counted.push(minute);
  return counted
    .filter((minute) => at - minute >= 30)
    .reduce((sum, minute) => sum + Math.exp((-(at - minute) * MINUTE) / (7 * DAY)), 0);
};
const openings = fc
  .array(fc.integer({ min: 0, max: 3_000 }), { minLength: 1, maxLength: 40 })
  .map((minutes) => minutes.sort((a, b) => a - b));

const CHANGE = { severity: 'info', complaint: { kind: 'unknown', known: 'change' } } as const;

describe('the habit of a complaint', () => {
  test('is how often its CI said the same before, fading over days', () => {
    fc.assert(
      fc.property(openings, fc.nat(6_000), (minutes, later) => {
        const habits = openHabits();
        for (const minute of minutes) noteHabit(habits, says(minute));
        const at = minutes.at(-1)! + later;
        expect(habitAt(habits, says(at))).toBeCloseTo(bySearch(minutes, at), 2);
      }),
    );
  });

  test.each([
    ['of another CI', { ciId: 'app' }, 0],
    ['of another complaint', { template: 'disk gone' }, 0],
    ['of no CI', { ciId: null }, undefined],
    ['of news', { severity: 'info' }, undefined],
    ['of a change, which is news that counts', { ...CHANGE }, 0.994],
    ['of a symptom, by its kind', { spreads: true, complaint: { kind: 'latency', known: null } }, 0],
  ] as const)('is apart: %s', (_, more, expected) => {
    const habits = openHabits();
    noteHabit(habits, says(0));
    expect(habitAt(habits, says(60, more))).toBe(expected);
  });

  test('comes back from what was saved and the arrivals of a day, in whatever order of times', () => {
    const jumpy = fc.array(fc.record({ minute: fc.integer({ min: 0, max: 4_000 }), rebound: fc.boolean() }), {
      minLength: 1,
      maxLength: 40,
    });
    fc.assert(
      fc.property(jumpy, (arrivals) => {
        const habits = openHabits();
        const stored: SavedHabits[] = [];
        for (const { minute, rebound } of arrivals) {
          noteHabit(habits, says(minute, { rebound }));
          const saved = takeUnsaved(habits);
          if (saved !== null) stored.push(saved);
        }
        const again = openHabits();
        for (const saved of stored) restoreHabits(again, saved);
        const since = Math.max(...arrivals.map(({ minute }) => minute)) - 1_440;
        for (const { minute, rebound } of arrivals) if (minute >= since) noteHabit(again, says(minute, { rebound }));
        expect(again.known).toEqual(habits.known);
      }),
      { numRuns: 1_000 },
    );
  });

  test('is saved a few hundred at a time', () => {
    const habits = openHabits();
    const saved = Array.from({ length: 1_200 }, (_, n) => {
      noteHabit(habits, says(0, { ciId: `ci-${n}` }));
      return takeUnsaved(habits)?.length ?? 0;
    });
    expect(saved.filter((count) => count > 0)).toEqual([500, 500]);
    noteHabit(habits, says(13 * 60, { rebound: true }));
    expect(takeUnsaved(habits)).toHaveLength(200);
    noteHabit(habits, says(26 * 60, { rebound: true }));
    expect(takeUnsaved(habits)).toBeNull();
  });

  test('memory holds as many as it may, and none that is older than four weeks', () => {
    const habits = openHabits();
    for (let n = 0; n < 50_100; n++) noteHabit(habits, says(0, { ciId: `ci-${n}` }));
    expect([habits.known.size, habitAt(habits, says(60, { ciId: 'ci-0' }))]).toEqual([50_000, 0]);
    noteHabit(habits, says(29 * 1_440));
    expect(habits.known.size).toBe(1);
  });

  test('what was said while a clock was ahead is forgotten', () => {
    const habits = openHabits();
    noteHabit(habits, says(0));
    noteHabit(habits, says(90, { ciId: 'app' }));
    rewindHabits(habits, T + 30 * MINUTE);
    expect(habits.known.size).toBe(1);
  });
});
