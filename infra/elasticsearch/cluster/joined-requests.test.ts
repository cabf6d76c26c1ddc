import { expect, test } from '@jest/globals';
import { JoinedRequests } from './joined-requests.ts';

test('questions of one turn are asked together, and each caller gets its own answers', async () => {
  const [joined, asked] = [new JoinedRequests(), [] as (readonly number[])[]];
  const double = async (all: readonly number[]): Promise<number[]> => {
    asked.push(all);
    return all.map((one) => 2 * one);
  };
  const ask = (...questions: number[]) => joined.ask('double', questions, double);
  expect(await Promise.all([ask(1, 2), ask(), ask(3)])).toEqual([[2, 4], [], [6]]);
  expect(await Promise.all([ask(4), joined.ask('text', [5], async (all) => all.map(String))])).toEqual([[8], ['5']]);
  expect(asked).toEqual([[1, 2, 3], [4]]);
});

test('all who asked together hear of the failure, and those who ask next are not affected', async () => {
  const joined = new JoinedRequests();
  const ask = (error?: Error) =>
    joined.ask('one', [1], async (all) => {
      if (error) throw error;
      return all;
    });
  const down = new Error('down');
  expect(await Promise.allSettled([ask(down), ask()])).toMatchObject([{ reason: down }, { reason: down }]);
  expect(await ask()).toEqual([1]);
});
