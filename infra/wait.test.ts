import { expect, test } from '@jest/globals';
import { pause, within } from './wait.ts';

const late = () => new Error('too late');

test('work in time gives what it comes to, or its own failure', async () => {
  expect(await within(5_000, Promise.resolve(7), late)).toBe(7);
  await expect(within(5_000, Promise.reject(new Error('its own')), late)).rejects.toThrow('its own');
});

test('work that takes longer fails with what is said of it', async () => {
  await expect(within(5, new Promise(() => {}), late)).rejects.toThrow('too late');
});

test('a pause is as long as it is asked for', async () => {
  const began = performance.now();
  await pause(20);
  expect(performance.now() - began).toBeGreaterThanOrEqual(18);
});
