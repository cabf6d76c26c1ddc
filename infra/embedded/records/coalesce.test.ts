import { describe, expect, test } from '@jest/globals';
import { coalesce } from './coalesce-side-records.ts';

/** Writes numbers; refuses a write with a negative one in it whole. */
const open = () => {
  const writes: [string, number[]][] = [];
  const put = coalesce<number>((key, items) => {
    if (items.some((item) => item < 0)) throw new Error(`refused ${items.join()}`);
    writes.push([key, [...items]]);
  });
  return { writes, put };
};

describe('calls of one turn', () => {
  test('become one write per key, in their order', async () => {
    const { writes, put } = open();
    await Promise.all([put('a', [1, 2]), put('b', [3]), put('a', [4])]);
    expect(writes).toEqual([
      ['a', [1, 2, 4]],
      ['b', [3]],
    ]);
  });

  test('of different turns are written apart', async () => {
    const { writes, put } = open();
    await put('a', [1]);
    await put('a', [2]);
    expect(writes).toEqual([
      ['a', [1]],
      ['a', [2]],
    ]);
  });

  test('fail by themselves: the others are written', async () => {
    const { writes, put } = open();
    const answers = await Promise.allSettled([put('a', [1]), put('a', [-2]), put('a', [3])]);
    expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(answers[1]).toMatchObject({ reason: { message: 'refused -2' } });
    expect(writes).toEqual([
      ['a', [1]],
      ['a', [3]],
    ]);
  });

  test('resolve after their write', async () => {
    const { writes, put } = open();
    const seen = await Promise.all([1, 2].map((item) => put('a', [item]).then(() => writes.flat(2))));
    expect(seen).toEqual([
      ['a', 1, 2],
      ['a', 1, 2],
    ]);
  });
});
