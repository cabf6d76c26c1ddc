import { expect, jest, test } from '@jest/globals';
import { every } from './time.ts';

test('calls every period, first after one, until it is stopped', () => {
  jest.useFakeTimers();
  try {
    const work = jest.fn();
    const stop = every(1_000, work);
    expect(work).not.toHaveBeenCalled();
    jest.advanceTimersByTime(3_500);
    expect(work).toHaveBeenCalledTimes(3);
    stop();
    jest.advanceTimersByTime(5_000);
    expect(work).toHaveBeenCalledTimes(3);
  } finally {
    jest.useRealTimers();
  }
});

test('does not keep the process alive', () => {
  const alive = () => process.getActiveResourcesInfo().filter((one) => one === 'Timeout').length;
  const before = alive();
  const stop = every(60_000, () => undefined);
  expect(alive()).toBe(before);
  stop();
});
