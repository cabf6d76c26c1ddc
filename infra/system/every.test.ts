import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { every } from './every.ts';

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

/** Work that ends when it is told to. */
const slow = () => {
  const ends: (() => void)[] = [];
  return { ends, work: () => new Promise<void>((resolve) => ends.push(resolve)) };
};

test('leaves a turn out while one is running', async () => {
  const { ends, work } = slow();
  const stop = every(1_000, work, () => undefined);
  await jest.advanceTimersByTimeAsync(3_500);
  expect(ends).toHaveLength(1);
  ends[0]?.();
  await jest.advanceTimersByTimeAsync(1_000);
  expect(ends).toHaveLength(2);
  ends[1]?.();
  await stop();
});

test('goes on after a failure and says what it was', async () => {
  const failures: unknown[] = [];
  const stop = every(
    1_000,
    async () => {
      throw new Error('no');
    },
    (error) => failures.push(error),
  );
  await jest.advanceTimersByTimeAsync(2_500);
  expect(failures).toEqual([new Error('no'), new Error('no')]);
  await stop();
});

test('stop waits for the run and lets none follow', async () => {
  const { ends, work } = slow();
  const stop = every(1_000, work, () => undefined);
  await jest.advanceTimersByTimeAsync(1_000);
  let stopped = false;
  const stopping = stop().then(() => {
    stopped = true;
  });
  await jest.advanceTimersByTimeAsync(5_000);
  expect([stopped, ends.length]).toEqual([false, 1]);
  ends[0]?.();
  await stopping;
  await jest.advanceTimersByTimeAsync(5_000);
  expect(ends).toHaveLength(1);
});
