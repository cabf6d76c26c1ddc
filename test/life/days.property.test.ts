import { afterAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { runs } from '#test/setup/runs.ts';
import { DayPlay } from './oracle.ts';
import { day } from './plan.ts';
import { openWorlds } from './world.ts';

const DAYS = runs({ short: 30, long: 10_000 });
/** Days side by side, each in a server of its own: they wait for its threads most of the time. */
const LANES = 5;
/** Days between two lines of progress. */
const TOLD = 250;
const isShort = DAYS < 100;
let played = 0;
const lanes = Array.from({ length: LANES }, openWorlds);
afterAll(() => Promise.all(lanes.map((worlds) => worlds.close())));

test(
  'on random days every alert that fires has an event, and no event outlives its alerts',
  async () => {
    const playAll = (worlds: ReturnType<typeof openWorlds>, lane: number) =>
      fc.assert(
        fc.asyncProperty(day, async (plan) => {
          const play = new DayPlay(...(await worlds.next(plan)));
          expect(await play.play(plan)).toEqual([]);
          played += 1;
          if (played % TOLD === 0) process.stderr.write(`${played} of ${DAYS} days\n`);
        }),
        // The short form plays the same days in every run.
        { numRuns: DAYS / LANES, endOnFailure: true, ...(isShort && { seed: 42 + lane }) },
      );
    await Promise.all(lanes.map(playAll));
  },
  120_000 + DAYS * 4_000,
);
