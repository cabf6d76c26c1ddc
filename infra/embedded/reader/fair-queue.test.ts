import { expect, test } from '@jest/globals';
import { FairQueue, type QueryTurn, type Share } from './fair-queue.ts';

const share: Share = { running: 3, runningOfTenant: 2, maxOfTenant: 4, max: 6 };
const open = () => new FairQueue<string>({ request: share, background: { ...share, running: 2, runningOfTenant: 1 } });

const takeAll = (queue: FairQueue<string>): QueryTurn<string>[] => {
  const turns: QueryTurn<string>[] = [];
  for (let turn = queue.take(); turn !== null; turn = queue.take()) turns.push(turn);
  return turns;
};
const items = (turns: readonly QueryTurn<string>[]): string[] => turns.map(({ item }) => item);

test('tenants take turns; one has at most its share at a time, and all have theirs', () => {
  const queue = open();
  for (const item of ['a1', 'a2', 'a3', 'a4']) expect(queue.add('request', 'a', item)).toBeNull();
  for (const item of ['b1', 'b2']) queue.add('request', 'b', item);
  const turns = takeAll(queue);
  expect(items(turns)).toEqual(['a1', 'b1', 'a2']);
  turns[1]!.end();
  expect(items(takeAll(queue))).toEqual(['b2']);
  turns[0]!.end();
  expect(items(takeAll(queue))).toEqual(['a3']);
});

test('what jobs ask has places of its own', () => {
  const queue = open();
  for (let n = 0; n < 4; n++) queue.add('request', 'a', `a${n}`);
  for (const item of ['job1', 'job2']) expect(queue.add('background', 'a', item)).toBeNull();
  expect(items(takeAll(queue))).toEqual(['a0', 'job1', 'a1']);
  expect([queue.size('request'), queue.size('background')]).toEqual([4, 2]);
});

test('refuses what is more than a tenant, or all of them, may have; what has ended counts no more', () => {
  const queue = open();
  for (let n = 0; n < 4; n++) queue.add('request', 'a', `a${n}`);
  expect(queue.add('request', 'a', 'a4')).toBe('tenant');
  const [first] = takeAll(queue);
  expect(queue.add('request', 'a', 'a4')).toBe('tenant');
  first!.end();
  expect(queue.add('request', 'a', 'a4')).toBeNull();
  expect(queue.add('request', 'b', 'b0')).toBeNull();
  expect(queue.add('request', 'b', 'b1')).toBeNull();
  expect(queue.add('request', 'b', 'b2')).toBe('all');
});

test('what is given up while it waits is forgotten', () => {
  const queue = open();
  for (const item of ['a1', 'a2']) queue.add('request', 'a', item);
  expect([queue.remove('a1'), queue.remove('a1'), queue.remove('x')]).toEqual([true, false, false]);
  expect(items(takeAll(queue))).toEqual(['a2']);
  queue.add('background', 'a', 'job');
  expect(queue.clear()).toEqual(['job']);
  expect([queue.hasWaiting, queue.size('request'), queue.size('background')]).toEqual([false, 1, 0]);
});
