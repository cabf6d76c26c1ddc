import { expect, test } from '@jest/globals';
import { memoized } from './operations.ts';

test('many who ask at once, or soon again, share one answer; a failure is not remembered', async () => {
  let asked = 0;
  const ask = memoized(
    async () => {
      asked += 1;
      if (asked === 1) throw new Error('no');
      return asked;
    },
    { freshMs: 60_000, deadlineMs: 1_000 },
  );
  await expect(ask()).rejects.toThrow('no');
  expect(await Promise.all([ask(), ask()])).toEqual([2, 2]);
  expect(await ask()).toBe(2);
});

test('an answer that does not come is no longer waited for, and no second question is asked', async () => {
  let asked = 0;
  const ask = memoized(() => new Promise<void>(() => void ++asked), { freshMs: 0, deadlineMs: 5 });
  await expect(ask()).rejects.toMatchObject({ kind: 'unavailable' });
  await expect(ask()).rejects.toMatchObject({ kind: 'unavailable' });
  expect(asked).toBe(1);
});
