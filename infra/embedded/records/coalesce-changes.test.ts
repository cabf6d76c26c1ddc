import { expect, test } from '@jest/globals';
import { openRecordStore } from '#infra/embedded/record-store.ts';
import { StorageFailure } from '#infra/embedded/sqlite/errors.ts';
import { memoryDatabase } from '#test/setup/empty-database.ts';
import { setClock } from '#test/setup/set-clock.ts';
import { openRecordTable } from './table.ts';

test('changes of one turn are one batch in their order, and one that is refused fails by itself', async () => {
  const database = memoryDatabase();
  const records = openRecordStore(database, openRecordTable(database), setClock(0));
  let batches = 0;
  const { submit } = database;
  database.submit = (work) => {
    batches += 1;
    return submit(work);
  };
  await records.put('t', 'k', 'taken', 1);
  const results = await Promise.allSettled([
    records.put('t', 'k', 'a', 1),
    records.put('t', 'k', 'taken', 2, { expected: 0 }),
    records.put('t', 'k', 'a', 2, { expected: 1 }),
    records.put('t', 'k', 'b', 1),
    records.put('t', 'k', 'gone', 1),
    records.remove('t', 'k', 'gone'),
    records.remove('t', 'k', 'gone'),
  ]);
  expect(results.map((one) => (one.status === 'fulfilled' ? one.value : one.reason.kind))).toEqual([
    1,
    'precondition',
    2,
    1,
    1,
    true,
    false,
  ]);
  expect(batches).toBe(2);
  expect((await records.list('t', 'k', { limit: 10 })).map(({ id, body }) => [id, body])).toEqual([
    ['a', 2],
    ['b', 1],
    ['taken', 1],
  ]);
  database.close();
});

test('a change that the store does not take is refused, and so is one that cannot be written', async () => {
  const database = memoryDatabase();
  const records = openRecordStore(database, openRecordTable(database), setClock(0));
  const { submit } = database;
  const full = new StorageFailure('the disk is full');
  database.submit = () => Promise.reject(full);
  await expect(records.put('t', 'k', 'a', 1)).rejects.toBe(full);
  database.submit = submit;
  await expect(records.put('t', 'k', 'a', 1n)).rejects.toThrow(/BigInt/);
  expect(await records.get('t', 'k', 'a')).toBeNull();
  database.close();
});
