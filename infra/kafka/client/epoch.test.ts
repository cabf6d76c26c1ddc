import { expect, test } from '@jest/globals';
import { openRecordStore } from '#infra/embedded/record-store.ts';
import { openRecordTable } from '#infra/embedded/records/table.ts';
import { eventsIncoming } from '#schemas/topics/topics.ts';
import { memoryDatabase } from '#test/setup/empty-database.ts';
import { setClock } from '#test/setup/set-clock.ts';
import { openEpoch, readEpoch } from './epoch.ts';

const records = () => {
  const database = memoryDatabase();
  return openRecordStore(database, openRecordTable(database), setClock(0));
};
const NEW = { partitions: 24, created: [eventsIncoming, 'events.saved'] };
const FOUND = { partitions: 24, created: [] };

test('the first log is counted from epoch 1, and the next start finds it', async () => {
  const store = records();
  expect(await readEpoch(store)).toBeNull();
  expect(await openEpoch(store, NEW)).toBe(1);
  expect(await openEpoch(store, FOUND)).toBe(1);
  expect(await readEpoch(store)).toMatchObject({ epoch: 1, partitions: 24 });
});

test('a log that was made anew is counted from the next one, whatever its partitions', async () => {
  const store = records();
  await openEpoch(store, NEW);
  expect(await openEpoch(store, { ...NEW, partitions: 12 })).toBe(2);
  expect(await openEpoch(store, { partitions: 12, created: ['events.saved'] })).toBe(2);
});

test('a log that was written with another number of partitions is refused, and the message says so', async () => {
  const store = records();
  await openEpoch(store, NEW);
  await expect(openEpoch(store, { ...FOUND, partitions: 25 })).rejects.toThrow(
    /partitioned with .+ over 24 partitions, but this version uses .+ over 25/,
  );
});
