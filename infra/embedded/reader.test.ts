import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { sampleEvent } from '#test/contract/samples.ts';
import { temporaryDirectory } from '#test/setup/directory.ts';
import { type Database, openDatabase } from './database.ts';
import { openEventTable } from './event-table.ts';
import { openReader, type Reader } from './reader.ts';

let directory: ReturnType<typeof temporaryDirectory>;
let database: Database;
let reader: Reader;
beforeEach(() => {
  directory = temporaryDirectory();
  database = openDatabase(directory.path);
});
afterEach(async () => {
  await reader.close();
  database.close();
  directory.remove();
});

const find = (limit = 5) =>
  reader.run('events.find', { tenant: 'acme', filter: {}, page: { sort: 'timestamp', order: 'asc', limit } });

describe('the reader thread', () => {
  test('sees what was committed before the query', async () => {
    reader = openReader(database);
    for (let number = 1; number <= 3; number++) {
      openEventTable(database).write(sampleEvent(number), new Set(['created']));
      expect((await find()).total).toBe(number);
    }
  });

  test('refuses what is more than may wait', async () => {
    reader = openReader(database, { maxWaiting: 2 });
    const results = await Promise.allSettled([find(), find(), find()]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected']);
    expect(results[2]).toMatchObject({ reason: { name: 'Fault', kind: 'unavailable', retryAfter: 2 } });
    expect((await find()).total).toBe(0);
  });

  test('gives up on a query that takes too long', async () => {
    reader = openReader(database, { timeoutMs: 0 });
    await expect(find()).rejects.toMatchObject({ kind: 'unavailable' });
  });

  test('that fails to open answers unavailable, and the next query tries a new thread', async () => {
    reader = openReader({ ...database, path: `${directory.path}/late.db` });
    await expect(find()).rejects.toMatchObject({ kind: 'unavailable' });
    database.db.exec(`VACUUM INTO '${directory.path}/late.db'`);
    expect((await find()).total).toBe(0);
  });

  test('passes on what a query throws', async () => {
    reader = openReader(database);
    const query = reader.run('events.find', {
      tenant: 'acme',
      filter: {},
      page: { sort: 'timestamp', order: 'asc', limit: 5, cursor: 'x' },
    });
    await expect(query).rejects.toMatchObject({ name: 'Fault', kind: 'invalid', problems: [{ field: 'cursor' }] });
  });

  test('ends with the store: what waits is answered, what comes later refused', async () => {
    reader = openReader(database);
    const waiting = find();
    const answered = expect(waiting).rejects.toMatchObject({ kind: 'unavailable' });
    await reader.close();
    await answered;
    await expect(find()).rejects.toMatchObject({ kind: 'unavailable' });
  });
});
