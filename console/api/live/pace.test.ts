import { expect, test } from '@jest/globals';
import { openPace } from './pace.ts';

/** Times of the reads when something changes every `everyMs` for `forMs`. */
const readsOf = (everyMs: number, forMs: number, isStorm = false): number[] => {
  const pace = openPace();
  const reads: number[] = [];
  let planned: number | null = null;
  for (let now = 0; now <= forMs; now += everyMs) {
    if (planned !== null && planned <= now) {
      pace.reads(planned);
      reads.push(planned);
      planned = null;
    }
    const wait = pace.changed(now, isStorm);
    if (wait !== null) planned = now + wait;
  }
  return reads;
};

test('a single change is read at once', () => {
  expect(openPace().changed(5_000)).toBe(0);
});

test('of many at once only the first plans a read', () => {
  const pace = openPace();
  expect([pace.changed(0), pace.changed(1), pace.changed(2)]).toEqual([0, null, null]);
});

test('in a storm the second read comes soon, and a minute has at most 25', () => {
  const reads = readsOf(1, 120_000);
  expect(reads[0]).toBe(0);
  expect((reads[1] as number) - (reads[0] as number)).toBeLessThanOrEqual(750);
  const inSecondMinute = reads.filter((at) => at >= 60_000).length;
  expect(inSecondMinute).toBeGreaterThanOrEqual(18);
  expect(inSecondMinute).toBeLessThanOrEqual(25);
});

test('what is too much to be told one by one is read at once, then as seldom as may be', () => {
  expect(readsOf(500, 9_000, true)).toEqual([0, 3_000, 6_000, 9_000]);
});

test('a change every 10 s is read at once each time', () => {
  const reads = readsOf(10_000, 60_000);
  expect(reads).toEqual([0, 10_000, 20_000, 30_000, 40_000, 50_000]);
});
