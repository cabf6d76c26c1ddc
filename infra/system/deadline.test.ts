import { expect, test } from '@jest/globals';
import { openDeadline } from './time.ts';

const open = () => {
  const time = { now: 0 };
  return { time, deadline: openDeadline(() => time.now) };
};
const pause = () => new Promise(setImmediate);

test('what is left shrinks, for everything that is done for the request', async () => {
  const { time, deadline } = open();
  await deadline.within(100, async () => {
    expect(deadline.left()).toBe(100);
    await pause();
    time.now = 60;
    expect(deadline.left()).toBe(40);
    time.now = 200;
    expect(deadline.left()).toBe(0);
  });
  expect(deadline.left()).toBe(Number.POSITIVE_INFINITY);
});

test('time in which the caller keeps us waiting does not count', async () => {
  const { time, deadline } = open();
  await deadline.within(100, async () => {
    await deadline.uncounted(async () => {
      await pause();
      time.now = 1_000;
    });
    expect(deadline.left()).toBe(100);
  });
});

test('work without a deadline goes on for as long as it takes', async () => {
  const { time, deadline } = open();
  await deadline.within(100, async () => {
    time.now = 200;
    expect(deadline.without(() => deadline.left())).toBe(Number.POSITIVE_INFINITY);
    expect(await deadline.without(() => deadline.inTime(async () => 'done'))).toBe('done');
  });
});

test('when the time is over the caller hears it', async () => {
  const { time, deadline } = open();
  const fault = { name: 'Fault', kind: 'unavailable', retryAfter: 5 };
  await deadline.within(10, async () => {
    await expect(deadline.inTime(() => new Promise(() => {}))).rejects.toMatchObject(fault);
    time.now = 10;
    await expect(deadline.inTime(async () => 'never asked')).rejects.toMatchObject(fault);
  });
});
