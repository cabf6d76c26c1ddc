import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { Commits } from './commits.ts';

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['setImmediate'] });
});
afterEach(() => {
  jest.useRealTimers();
});

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A broker that answers each commit on command. */
const broker = () => {
  const sent: string[] = [];
  let answer = Promise.withResolvers<void>();
  const commits = new Commits('topic', async (offsets) => {
    sent.push(offsets.map(({ partition, offset, metadata }) => `${partition}:${offset}/${metadata}`).join(' '));
    await answer.promise;
  });
  const answers = async (error?: Error): Promise<void> => {
    const before = answer;
    answer = Promise.withResolvers();
    if (error === undefined) before.resolve();
    else before.reject(error);
    await turn();
  };
  return { commits, sent, answers };
};
const at = (offset: number) => ({ offset, metadata: 'm' });

test('one request at a time, and the next has the newest offset of each partition', async () => {
  const { commits, sent, answers } = broker();
  commits.note(1, at(10));
  commits.note(2, at(5));
  await turn();
  commits.note(1, at(20));
  commits.note(1, at(30));
  commits.note(3, at(1));
  expect(sent).toEqual(['1:10/m 2:5/m']);
  await answers();
  expect(sent).toEqual(['1:10/m 2:5/m', '1:30/m 3:1/m']);
  await answers();
  await commits.settled();
  expect(sent).toHaveLength(2);
});

test('what was refused is committed again, unless a newer offset is known', async () => {
  const { commits, sent, answers } = broker();
  commits.note(1, at(10));
  commits.note(2, at(5));
  await turn();
  commits.note(1, at(20));
  await answers(new Error('The group is rebalancing'));
  jest.advanceTimersByTime(1_000);
  await turn();
  expect(sent).toEqual(['1:10/m 2:5/m', '1:20/m 2:5/m']);
  await answers();
});

test('nothing is said of partitions that were taken away, neither later nor again', async () => {
  const { commits, sent, answers } = broker();
  commits.note(1, at(10));
  await turn();
  commits.note(1, at(20));
  commits.forget();
  await answers(new Error('Another generation'));
  jest.advanceTimersByTime(5_000);
  await turn();
  expect(sent).toEqual(['1:10/m']);
});
