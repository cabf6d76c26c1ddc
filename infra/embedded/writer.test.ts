import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { temporaryDirectory } from '#test/setup/directory.ts';
import { type Database, MEMORY, openDatabase } from './database.ts';
import { isStorageFailure } from './storage-failure.ts';
import { openWriter } from './writer.ts';

const PUT = 'INSERT INTO cursor VALUES (?, ?)';

describe.each(['file', 'memory'])('hand-over to the writer of a database in a %s', (kind) => {
  let directory: ReturnType<typeof temporaryDirectory>;
  let database: Database;
  let forgotten: number;
  beforeEach(() => {
    directory = temporaryDirectory();
    database = openDatabase(kind === 'file' ? directory.path : MEMORY);
    forgotten = 0;
    database.onRollback(() => forgotten++);
  });
  afterEach(async () => {
    await database.endWriter();
    database.close();
    directory.remove();
  });
  const put = (name: string, position = 1) => database.handOver(() => database.write(PUT, name, position));
  const stored = () => database.arrays('SELECT name FROM cursor ORDER BY name').all().flat();
  const message = (error: unknown) => (error as Error).message;

  test('is committed in order and answered afterwards', async () => {
    const answers = ['a', 'b', 'c'].map((name) => put(name).then(() => stored().length));
    expect(stored()).toEqual([]);
    for (const [n, count] of (await Promise.all(answers)).entries()) expect(count).toBeGreaterThan(n);
    expect(stored()).toEqual(['a', 'b', 'c']);
  });

  test('can be waited for without a turn of the event loop', () => {
    const flying = database.inFlight<string, number>(() => {});
    void database.handOver(() => {
      database.write(PUT, 'a', 1);
      flying.set('a', 1);
    });
    expect(flying.get('a')).toBe(1);
    database.settle();
    expect([stored(), flying.get('a')]).toEqual([['a'], undefined]);
  });

  test('fails as a whole, and takes what follows along until memory was read anew', async () => {
    await put('a');
    const failed = database.handOver(() => {
      database.write(PUT, 'b', 1);
      database.write(PUT, 'a', 1);
    });
    const errors = [failed, put('c')].map((answer) => answer.then(() => '', message));
    expect(await Promise.all(errors)).toEqual([expect.stringContaining('UNIQUE'), expect.stringContaining('UNIQUE')]);
    expect(() => database.settle()).toThrow('UNIQUE');
    await expect(put('d')).rejects.toThrow('UNIQUE');
    expect([stored(), forgotten]).toEqual([['a'], 3]);
    database.resume();
    await put('e');
    database.settle();
    expect(stored()).toEqual(['a', 'e']);
  });

  test('tells a store that failed from contents that it refuses', async () => {
    await put('a');
    await expect(put('a').catch(isStorageFailure)).resolves.toBe(false);
    database.resume();
    await database.handOver(() => database.write('PRAGMA query_only = 1'));
    await expect(put('b').catch(isStorageFailure)).resolves.toBe(true);
  });

  test('is not begun when gathering throws', async () => {
    const failing = () =>
      database.handOver(() => {
        database.write(PUT, 'a', 1);
        throw new Error('gathering');
      });
    expect(failing).toThrow('gathering');
    await put('b');
    expect([stored(), forgotten]).toEqual([['b'], 1]);
  });

  test('who writes at once waits for its turn, and what comes later waits for it', async () => {
    const seen: unknown[] = [];
    const answers = [
      put('a'),
      database.turn(() => {
        seen.push(stored());
        database.transaction(() => database.write(PUT, 'turn', 1));
      }),
      put('b').then(() => seen.push(stored())),
    ];
    await Promise.all(answers);
    expect(seen).toEqual([['a'], ['a', 'b', 'turn']]);
    await expect(
      database.turn(() => {
        throw new Error('in turn');
      }),
    ).rejects.toThrow('in turn');
  });

  test('who writes at once without a turn meets no lock', () => {
    const answer = put('a');
    database.transaction(() => database.write(PUT, 'b', 1));
    expect(stored()).toEqual(['a', 'b']);
    return answer;
  });
});

test('a thread that dies fails what it had, as the store would, and the next write starts another', async () => {
  const directory = temporaryDirectory();
  const home = join(directory.path, 'later');
  const writer = openWriter(join(home, 'faultline.db'), {
    statement: () => {
      throw new Error('not here');
    },
    transaction: () => {},
  });
  const write = (text: string) =>
    new Promise<Error | null>((resolve) => writer.write({ texts: [text], steps: [0, 0], values: [] }, resolve));
  const errors = await Promise.all([write('SELECT 1'), write('SELECT 2')]);
  expect(errors.map(isStorageFailure)).toEqual([true, true]);
  mkdirSync(home);
  expect(await write('CREATE TABLE t (x)')).toBeNull();
  await writer.close();
  directory.remove();
});

test('waiting for a thread that dies ends', () => {
  const writer = openWriter('/nowhere/faultline.db', { statement: () => undefined as never, transaction: () => {} });
  writer.write({ texts: [], steps: [], values: [] }, () => {});
  expect(() => writer.settle()).toThrow('the writer has ended');
});
