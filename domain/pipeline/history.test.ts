import { expect, test } from '@jest/globals';
import { MAX_STEPS, PipelineHistory, type ProcessorCounters, type ProcessorStanding } from './history.ts';

const tally = (read: number): ProcessorCounters => ({
  read,
  emitted: 2 * read,
  errors: 0,
  batches: read / 10,
  seconds: read / 100,
});
const stage = (read: number, lag = 0): ReadonlyMap<string, ProcessorStanding> =>
  new Map([['dedup', { tally: tally(read), lags: new Map([[3, lag]]) }]]);

test('a step is what happened between two looks', () => {
  const history = new PipelineHistory();
  history.look(1_000, stage(50));
  expect(history.steps).toEqual([]);
  history.look(11_000, stage(150, 7));
  history.look(23_000, stage(150));
  expect(history.steps).toEqual([
    { at: 11_000, ms: 10_000, stages: stage(100, 7) },
    { at: 23_000, ms: 12_000, stages: stage(0) },
  ]);
});

test('a processor that comes later counts from nothing', () => {
  const history = new PipelineHistory();
  history.look(1_000, new Map());
  history.look(2_000, stage(40));
  expect(history.steps[0]?.stages.get('dedup')?.tally.read).toBe(40);
});

test('a clock that was set back makes no step, and the next one begins there', () => {
  const history = new PipelineHistory();
  history.look(9_000, stage(10));
  history.look(1_000, stage(30));
  history.look(2_000, stage(50));
  expect(history.steps).toEqual([{ at: 2_000, ms: 1_000, stages: stage(20) }]);
});

test('an hour is kept', () => {
  const history = new PipelineHistory();
  for (let look = 0; look <= MAX_STEPS + 40; look++) history.look(look * 10_000 + 1, stage(look));
  expect(history.steps).toHaveLength(360);
  expect(history.steps.at(-1)?.at).toBe(4_000_001);
});
