import { expect, test } from '@jest/globals';
import { type Pending, RequestQueue, type WaitingAppend } from './request-queue.ts';

const append = (tenant: string, records: number): WaitingAppend => ({
  tenant,
  records: Array(records).fill({}),
  waitsUntil: 1_000,
  resolve: () => {},
  reject: () => {},
});
const names = (taken: readonly Pending[]) => taken.map(({ tenant }) => tenant);

test('a bulk that fills a batch goes in every second batch though singles never end', () => {
  const queue = new RequestQueue(50_000);
  for (const name of ['bulk-1', 'bulk-2']) queue.add(append(name, 5_000));
  const batches = Array.from({ length: 5 }, (_, n) => {
    queue.add(append(`single-${n}`, 1));
    return names(queue.take(1_000));
  });
  expect(batches).toEqual([['single-0'], ['bulk-1'], ['single-1', 'single-2'], ['bulk-2'], ['single-3', 'single-4']]);
  expect(queue.records).toBe(0);
});

test('bulks share a batch with singles, which go first', () => {
  const queue = new RequestQueue(50_000);
  queue.add(append('bulk-1', 400));
  queue.add(append('single', 1));
  queue.add(append('bulk-2', 500));
  queue.add(append('bulk-3', 500));
  expect(names(queue.take(1_000))).toEqual(['single', 'bulk-1', 'bulk-2']);
  expect(names(queue.take(1_000))).toEqual(['bulk-3']);
});
