import { afterEach, expect, jest, test } from '@jest/globals';
import { inParallel, pause, within } from './wait.ts';

afterEach(() => void jest.useRealTimers());

const late = () => new Error('too late');

test('work in time gives what it comes to, or its own failure', async () => {
  expect(await within(5_000, Promise.resolve(7), late)).toBe(7);
  await expect(within(5_000, Promise.reject(new Error('its own')), late)).rejects.toThrow('its own');
});

test('work that takes longer fails with what is said of it', async () => {
  await expect(within(5, new Promise(() => {}), late)).rejects.toThrow('too late');
});

test('a pause is as long as it is asked for', async () => {
  jest.useFakeTimers();
  let isOver = false;
  void pause(20).then(() => {
    isOver = true;
  });
  const overAfter = async (ms: number): Promise<boolean> => {
    await jest.advanceTimersByTimeAsync(ms);
    return isOver;
  };
  expect([await overAfter(19), await overAfter(1)]).toEqual([false, true]);
});

test('items are worked on so many at a time, and after a failure its worker takes no more', async () => {
  let running = 0;
  let most = 0;
  const done: number[] = [];
  const work = async (item: number): Promise<void> => {
    most = Math.max(most, ++running);
    await pause(1);
    running--;
    if (item === 3) throw new Error('its own');
    done.push(item);
  };
  await inParallel(2, new Set([1, 2, 4, 5, 6]).values(), work);
  expect([most, done]).toEqual([2, [1, 2, 4, 5, 6]]);
  await expect(inParallel(1, [3, 7].values(), work)).rejects.toThrow('its own');
  expect(done).not.toContain(7);
});
