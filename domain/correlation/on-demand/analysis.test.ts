import { expect, test } from '@jest/globals';
import { NOON, sampleEnriched } from '#test/contract/samples.ts';
import { analysisSteps, type RecordsWanted } from './analysis.ts';

/** Runs an analysis over records at these times; returns its requests, and the number of new records at each step. */
const driven = (times: readonly number[], limit: number, turn: number) => {
  const all = times.map((time, index) => sampleEnriched(index + 1, { time }));
  const read = ({ from, limit: most }: RecordsWanted) =>
    all.filter(({ arrival }) => arrival.time >= from).slice(0, most);
  const steps = analysisSteps({ from: 0, to: NOON * 2, limit, shown: 1, links: true }, turn);
  const seen = new Set<string>();
  const fresh: number[] = [];
  let step = steps.next();
  while (!step.done) {
    const records = read(step.value);
    const before = seen.size;
    for (const { arrival } of records) seen.add(arrival.eventId);
    fresh.push(seen.size - before);
    step = steps.next(records);
  }
  return { ...step.value, fresh };
};

test('no turn has more records than it may have, whatever their times are', () => {
  const same = driven(Array(23).fill(NOON), 100, 5);
  expect([same.analyzed, same.fresh]).toEqual([23, [5, 5, 5, 5, 3]]);
  const apart = driven(
    Array.from({ length: 12 }, (_, n) => NOON + n),
    100,
    5,
  );
  expect([apart.analyzed, Math.max(...apart.fresh)]).toEqual([12, 5]);
});

test('it ends at its limit', () => expect(driven(Array(23).fill(NOON), 12, 5).analyzed).toBe(12));
