import { expect, test } from '@jest/globals';
import { boundedCrypto } from './bounded-crypto.ts';
import { systemCrypto } from './crypto.ts';

/** Verifications that end on command of the test. */
const opened = () => {
  const running: ((matches: boolean) => void)[] = [];
  const verifyPassword = () => new Promise<boolean>((resolve) => running.push(resolve));
  const crypto = boundedCrypto({ ...systemCrypto, verifyPassword }, { running: 2, waiting: 3 });
  const verify = () => crypto.verifyPassword('p', 'h');
  return { running, verify };
};
const turns = async () => {
  for (let i = 0; i < 10; i++) await Promise.resolve();
};

test('so many run at a time, so many wait in order, and the next is told to come back', async () => {
  const { running, verify } = opened();
  const tried = Array.from({ length: 5 }, verify);
  await turns();
  expect(running).toHaveLength(2);
  await expect(verify()).rejects.toMatchObject({ kind: 'rate-limited', retryAfter: 1 });
  for (let i = 0; i < tried.length; i++) {
    running[i]!(i % 2 === 0);
    await turns();
  }
  expect(await Promise.all(tried)).toEqual([true, false, true, false, true]);
});

test('a place is free again after an error', async () => {
  const verifyPassword = async (): Promise<boolean> => {
    throw new Error('x');
  };
  const crypto = boundedCrypto({ ...systemCrypto, verifyPassword }, { running: 1, waiting: 0 });
  for (let i = 0; i < 3; i++) await expect(crypto.verifyPassword('p', 'h')).rejects.toThrow('x');
});
