import { expect, test } from '@jest/globals';
import { Fault } from '#domain/fault.ts';
import { openBreaker } from '../queries/bindings.ts';

const open = () => {
  const time = { now: 0 };
  return { time, breaker: openBreaker(20, () => time.now) };
};
const down = () => Promise.reject(new Fault('unavailable', 'down'));

test('after a failure the store is left alone for 5 s, then one caller tries', async () => {
  const { time, breaker } = open();
  expect(await breaker.attempt(down)).toBeNull();
  time.now = 4_999;
  expect(await breaker.attempt(async () => 1)).toBeNull();
  time.now = 5_000;
  const { promise, resolve } = Promise.withResolvers<number>();
  const probe = breaker.attempt(() => promise);
  expect(await breaker.attempt(async () => 2)).toBeNull();
  resolve(3);
  expect(await probe).toBe(3);
  expect(await breaker.attempt(async () => 4)).toBe(4);
});

test('a probe that fails begins the rest anew, and the next one may try', async () => {
  const { time, breaker } = open();
  await breaker.attempt(down);
  time.now = 5_000;
  expect(await breaker.attempt(down)).toBeNull();
  time.now = 9_999;
  expect(await breaker.attempt(async () => 1)).toBeNull();
  time.now = 10_000;
  expect(await breaker.attempt(async () => 1)).toBe(1);
});

test('a store that hangs counts as down after the time of patience', async () => {
  const { breaker } = open();
  expect(await breaker.attempt(() => new Promise(() => {}))).toBeNull();
  expect(await breaker.attempt(async () => 1)).toBeNull();
});

test('an answer that is only late ends the pause', async () => {
  const { breaker } = open();
  const { promise, resolve } = Promise.withResolvers<number>();
  expect(await breaker.attempt(() => promise)).toBeNull();
  expect(await breaker.attempt(async () => 1)).toBeNull();
  resolve(2);
  await promise;
  expect(await breaker.attempt(async () => 3)).toBe(3);
});

test('an error of ours is thrown and says nothing about the store', async () => {
  const { breaker } = open();
  await expect(breaker.attempt(() => Promise.reject(new TypeError('ours')))).rejects.toThrow('ours');
  expect(await breaker.attempt(async () => 1)).toBe(1);
});
