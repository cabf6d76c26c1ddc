import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { openEventTable } from '#infra/embedded/events/table.ts';
import { readingOver } from '#infra/embedded/redo-log/connections.ts';
import { type Database, openDatabase } from '#infra/embedded/redo-log/database.ts';
import { interruptible, letInterrupt } from '#infra/embedded/redo-log/interrupt.ts';
import { sampleEvent } from '#test/contract/samples.ts';
import { temporaryDirectory } from '#test/setup/directory.ts';
import { until } from '#test/setup/until.ts';
import type { QueryOrigin, Share } from './fair-queue.ts';
import { openQueries } from './queries.ts';
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

const two: Share = { running: 2, runningOfTenant: 2, maxOfTenant: 2, max: 2 };

const find = (limit = 5, tenant = 'acme') =>
  reader.run('events.find', { tenant, filter: {}, page: { sort: 'timestamp', order: 'asc', limit } });

describe('the reader thread', () => {
  test('sees what was committed before the query', async () => {
    reader = openReader(database);
    const table = openEventTable(database);
    for (let number = 1; number <= 3; number++) {
      table.write(sampleEvent(number), new Set(['created']));
      expect((await find()).total).toBe(number);
    }
  });

  test('refuses what is more than may wait', async () => {
    reader = openReader(database, { shares: { request: two, background: two } });
    const results = await Promise.allSettled([find(), find(), find()]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected']);
    expect(results[2]).toMatchObject({ reason: { name: 'Fault', kind: 'unavailable', retryAfter: 2 } });
    expect((await find()).total).toBe(0);
  });

  /** Counts forever, unless it is interrupted; without `condition` to a number that needs some seconds. */
  const slow = (condition?: string) => {
    const more = condition === undefined ? 'n < 12000000' : condition;
    const text = `WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE ${more}) SELECT count(*) FROM c`;
    return reader.run('rows', { text, values: [] });
  };
  const tooLong = { kind: 'unavailable', retryAfter: 2, message: expect.stringContaining('timed out after') };

  test('interrupts a query that takes too long, while others are answered and those behind it go on', async () => {
    reader = openReader(database, { threads: 2, timeoutMs: 3_000 });
    await Promise.all([find(), find()]);
    const told: string[] = [];
    const refused = expect(slow(interruptible('n')).finally(() => told.push('slow'))).rejects.toMatchObject(tooLong);
    expect((await find().finally(() => told.push('list'))).total).toBe(0);
    await refused;
    expect(told).toEqual(['list', 'slow']);
    // Both threads are free again: two more are started at once, and each is answered.
    expect((await Promise.all([find(), find(), find()])).map(({ total }) => total)).toEqual([0, 0, 0]);
  });

  test('answers another tenant, and jobs, while one tenant keeps all busy that it may', async () => {
    let origin: QueryOrigin = 'request';
    reader = openReader(database, { origin: () => origin });
    const told: string[] = [];
    const query = `WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE ${interruptible('n')}) SELECT count(*) FROM c`;
    const slow = Array.from({ length: 256 }, () =>
      reader.run('rows', { text: query, values: [] }).catch(() => void told.push('slow')),
    );
    await expect(reader.run('rows', { text: query, values: [] })).rejects.toThrow('for this tenant');
    await find(5, 'acme').then(() => told.push('another'));
    origin = 'background';
    await reader.run('rows', { text: 'SELECT 1', values: [] }).then(() => told.push('job'));
    expect(told).toEqual(['another', 'job']);
    await reader.close();
    await Promise.all(slow);
  });

  test('replaces a thread whose query cannot be interrupted', async () => {
    // A query has this time from when it is asked, and the start of its thread is part of it.
    reader = openReader(database, { threads: 1, timeoutMs: 1_500 });
    await expect(slow('n < 25000000')).rejects.toMatchObject(tooLong);
    // Others wait for the thread up to their timeout, until it is abandoned.
    const found: number[] = [];
    await until(async () => {
      found.push(
        ...(await find()
          .then(({ total }) => [total])
          .catch(() => [])),
      );
      return found.length > 0;
    });
    expect(found).toEqual([0]);
  });

  test('a list of events is interrupted wherever it is', async () => {
    reader = openReader(database, { threads: 1 });
    const table = openEventTable(database);
    database.transaction(() => {
      for (let number = 1; number <= 2_100; number++) table.write(sampleEvent(number), new Set(['created']));
    });
    const looks: number[] = [];
    const db = new DatabaseSync(database.path!, { readOnly: true });
    letInterrupt(db, () => looks.push(1));
    const queries = openQueries(readingOver(db));
    const page = { sort: 'timestamp', order: 'asc', limit: 5 } as const;
    const filters = [
      { sources: ['a', 'b'] },
      { search: 'disk' },
      { from: 1, to: 2_000_000_000_000, ciId: 'none' },
      { statuses: ['open'] },
    ] as const;
    for (const filter of filters) {
      looks.length = 0;
      queries['events.find']({ tenant: 'acme', filter, page: { ...page } });
      queries['events.stats']({ tenant: 'acme', from: 0, to: 2_000_000_000_000 });
      expect(looks.length).toBeGreaterThan(0);
      looks.length = 0;
      queries['events.aggregate']({ tenant: 'acme', filter: {}, request: { measure: 'events', by: ['ci'], limit: 5 } });
      expect(looks.length).toBeGreaterThan(0);
    }
    db.close();
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
