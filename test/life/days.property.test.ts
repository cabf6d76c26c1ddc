import { afterAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { runs } from '#test/setup/runs.ts';
import { DayPlay } from './oracle.ts';
import { day } from './plan.ts';
import { openWorlds } from './world.ts';

const DAYS = runs({ short: 20, long: 10_000 });
/** Days between two lines of progress. */
const TOLD = 250;
let played = 0;
const worlds = openWorlds();
afterAll(() => worlds.close());

test(
  'on random days every alert that fires has an event, and no event outlives its alerts',
  async () => {
    await fc.assert(
      fc.asyncProperty(day, async (plan) => {
        const play = new DayPlay(...(await worlds.next(plan)));
        expect(await play.play(plan)).toEqual([]);
        played += 1;
        if (played % TOLD === 0) process.stderr.write(`${played} of ${DAYS} days\n`);
      }),
      // The short form plays the same days in every run.
      { numRuns: DAYS, endOnFailure: true, ...(DAYS < 100 && { seed: 42 }) },
    );
  },
  120_000 + DAYS * 4_000,
);
