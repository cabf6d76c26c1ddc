import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { type Database, MEMORY, openDatabase } from '#infra/embedded/redo-log/database.ts';
import { allOf } from '#test/setup/all-of.ts';
import { temporaryDirectory } from '#test/setup/directory.ts';
import { openReadAhead, type ReadAhead } from './read-ahead.ts';

const NUMBERS = Array.from({ length: 100 }, (_, i) => i);

describe.each(['a file', 'memory'])('reading ahead, from %s', (kind) => {
  let directory: ReturnType<typeof temporaryDirectory>;
  let database: Database;
  let ahead: ReadAhead;
  beforeEach(() => {
    directory = temporaryDirectory();
    database = openDatabase(kind === 'memory' ? MEMORY : directory.path);
    ahead = openReadAhead(database);
  });
  afterEach(async () => {
    await ahead.close();
    database.close();
    directory.remove();
  });

  test('answers come in the order of the values, whatever is read besides', async () => {
    const [twice, next] = ['SELECT 2 * ?1', 'SELECT ?1, ?1 + 1'].map((text) =>
      ahead.rows(
        text,
        NUMBERS.map((n) => [n]),
      ),
    );
    expect(await allOf(next!)).toEqual(NUMBERS.map((n) => [[n, n + 1]]));
    expect(await allOf(twice!)).toEqual(NUMBERS.map((n) => [[2 * n]]));
  });

  test('no values, no answers', async () => {
    expect(await allOf(ahead.rows('SELECT 1', []))).toEqual([]);
  });

  test('a statement that fails is told to whoever takes its answer, and to nobody else', async () => {
    ahead.rows('SELECT ? FROM nowhere', [[1]]);
    await expect(allOf(ahead.rows('SELECT ? FROM nowhere', [[1]]))).rejects.toThrow('no such table: nowhere');
    expect(await allOf(ahead.rows('SELECT ?', [[1]]))).toEqual([[[1]]]);
  });
});
