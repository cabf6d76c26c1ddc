import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { Fault } from '#domain/fault.ts';
import { Admission } from './request-queue.ts';

/** A queue with room for two; who is let in fills one place at once. */
const opened = (waitMs = 1_000, most = 10) => {
  let free = 2;
  const entered: number[] = [];
  const refused: number[] = [];
  const refusal = () => new Fault('unavailable', 'too many queued events', [], { retryAfter: 2 });
  const admission = new Admission({ hasRoom: () => free > 0, waitMs, most, refusal });
  const come = (n: number, brings = 1): void => {
    admission.enter().then(
      () => {
        free -= brings;
        entered.push(n);
      },
      () => refused.push(n),
    );
  };
  const leave = (): void => {
    free += 1;
    admission.admitNext();
  };
  return { admission, come, leave, entered, refused };
};

test('who brings much is let in while there is room, in order, and counted before the next', async () => {
  const { come, leave, entered } = opened();
  for (const n of [1, 2, 3, 4]) come(n);
  await turn();
  await turn();
  await turn();
  expect(entered).toEqual([1, 2]);
  leave();
  await turn();
  expect(entered).toEqual([1, 2, 3]);
  leave();
  await turn();
  expect(entered).toEqual([1, 2, 3, 4]);
});

test('who is let in and brings nothing holds up nobody', async () => {
  const { come, entered } = opened();
  for (const n of [1, 2, 3, 4, 5]) come(n, n < 5 ? 0 : 1);
  for (let i = 0; i < 6; i++) await turn();
  expect(entered).toEqual([1, 2, 3, 4, 5]);
});

test('who waits too long or comes when too many wait is refused', async () => {
  const { admission, come, entered, refused } = opened(1_000, 2);
  for (const n of [1, 2]) come(n);
  await turn();
  await turn();
  for (const n of [3, 4, 5]) come(n);
  await turn();
  expect(refused).toEqual([5]);
  admission.refuseLate(performance.now());
  await turn();
  expect(refused).toEqual([5]);
  admission.refuseLate(performance.now() + 1_001);
  await turn();
  expect(refused).toEqual([5, 3, 4]);
  expect(entered).toEqual([1, 2]);
});
