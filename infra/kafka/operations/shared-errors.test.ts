import { expect, test } from '@jest/globals';
import { openRecordStore } from '#infra/embedded/record-store.ts';
import { openRecordTable } from '#infra/embedded/records/table.ts';
import type { ConsumerStatus } from '#infra/kafka/consumer/consumer.ts';
import { memoryDatabase } from '#test/setup/empty-database.ts';
import { setClock } from '#test/setup/set-clock.ts';
import { openSharedErrors } from './shared-errors.ts';

const status = (name: string, lastError: string | null, failedAt: number | null = null): ConsumerStatus => ({
  name,
  group: name,
  topic: 't',
  partitions: [],
  lastError,
  failedAt,
});

test('every process reads the newest error of each processor until it is over, or its process is gone for a minute', async () => {
  using database = Object.assign(memoryDatabase(), { [Symbol.dispose]: () => database.close() });
  const clock = setClock(1_000);
  const records = openRecordStore(database, openRecordTable(database), clock);
  const [a, b] = [openSharedErrors(records, 'a', clock), openSharedErrors(records, 'b', clock)];
  await a.tell([status('dedup', 'older', 500), status('enrich', null)]);
  await b.tell([status('dedup', 'newer', 700), status('merge', 'broken', 600)]);
  const shown = async () => [...(await a.newest()).values()].map(({ processor, message }) => [processor, message]);
  expect((await shown()).sort()).toEqual([
    ['dedup', 'newer'],
    ['merge', 'broken'],
  ]);
  await b.tell([status('dedup', null), status('merge', 'broken', 600)]);
  expect(new Map((await shown()) as [string, string][]).get('dedup')).toBe('older');
  clock.advance(60_000);
  expect(await shown()).toEqual([]);
});
