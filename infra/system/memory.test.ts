import { setImmediate } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { collectGarbage } from './memory.ts';

test('garbage is gone when it returns, and nobody else can call the collector', async () => {
  const dropped = new WeakRef({ large: new Array(1_000).fill(0) });
  const kept = { small: 1 };
  const watched = new WeakRef(kept);
  await setImmediate();
  collectGarbage();
  expect([dropped.deref(), watched.deref()]).toEqual([undefined, kept]);
  expect('gc' in globalThis).toBe(false);
});
