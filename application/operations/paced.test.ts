import { expect, test } from '@jest/globals';
import { setClock } from '#test/setup/set-clock.ts';
import { paced } from './paced.ts';

const ABOUT = { lag: 5, signal: new AbortController().signal };

test('it rests for as long as the work took, also when the clock is set meanwhile', async () => {
  const clock = setClock(0);
  const sink = paced(async () => clock.set(20_000), { clock });
  const began = performance.now();
  await sink.take([], ABOUT);
  expect(performance.now() - began).toBeLessThan(1_000);
});

test('it rests after work behind which more waits, and not after other work', async () => {
  let ms = 0;
  const work = async (): Promise<void> => {
    ms += 10;
  };
  const sink = paced(work, { clock: { now: () => 0, steady: () => ms } });
  const began = performance.now();
  await sink.take([], { ...ABOUT, lag: 0 });
  const afterIdle = performance.now() - began;
  await sink.take([], ABOUT);
  expect(performance.now() - began - afterIdle).toBeGreaterThan(300);
  expect(afterIdle).toBeLessThan(300);
});
