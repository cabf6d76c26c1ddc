import { expect, test } from '@jest/globals';
import { watchClock } from './clock-watch.ts';

test('a clock that is set is told once, and a clock that runs a little fast is not', () => {
  const told: object[] = [];
  let [wall, steady] = [1_800_000_000_000, 5_000];
  const pass = (ms: number, ahead = 0): void => {
    steady += ms;
    wall += ms + ahead;
    look();
  };
  const look = watchClock({
    now: () => wall,
    monotonic: () => steady,
    log: { warn: (fields) => void told.push(fields) },
  });
  for (let n = 0; n < 100; n++) pass(10_000, 900);
  expect(told).toEqual([]);
  pass(10_000, 3 * 3_600_000);
  pass(10_000);
  pass(10_000, -3 * 3_600_000);
  expect(told).toEqual([{ jumpSeconds: 10_800 }, { jumpSeconds: -10_800 }]);
});
