import { cpSync, mkdirSync, renameSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { temporaryDirectory } from '#test/setup/directory.ts';
import type { Changes } from './changes.ts';
import { type Database, MEMORY, openDatabase } from './database.ts';
import { packChanges, type Refused } from './redo.ts';
import { openRedoLog } from './redo-log.ts';
import { isStorageFailure } from './storage-failure.ts';
import { openWriter, type Writer } from './writer.ts';

const PUT = 'INSERT INTO cursor VALUES (?, ?)';
const message = (error: unknown) => (error as Error).message;

let directory: ReturnType<typeof temporaryDirectory>;
let database: Database;
let forgotten: number;
let refused: Refused[];
const open = (path: string) => {
  database = openDatabase(path, { refused: (all) => refused.push(...all) });
  database.onRollback(() => forgotten++);
};
beforeEach(() => {
  directory = temporaryDirectory();
  forgotten = 0;
  refused = [];
});
afterEach(async () => {
  if (database.db.isOpen) await database.endWriter();
  database.close();
  directory.remove();
});
const put = (name: string, position = 1) => database.handOver(() => database.write(PUT, name, position));
const stored = () => database.arrays("SELECT name FROM cursor WHERE name <> 'redo' ORDER BY name").all().flat();

describe.each(['file', 'memory'])('hand-over to the writer of a database in a %s', (kind) => {
  beforeEach(() => open(kind === 'file' ? directory.path : MEMORY));

  test('is kept in order, answered, and applied in order', async () => {
    const answered: string[] = [];
    const answers = ['a', 'b', 'c'].map((name) => put(name).then(() => answered.push(name)));
    expect(stored()).toEqual([]);
    await Promise.all(answers);
    await database.applied();
    expect([answered, stored()]).toEqual([
      ['a', 'b', 'c'],
      ['a', 'b', 'c'],
    ]);
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
    await expect(put('d').catch(isStorageFailure)).resolves.toBe(false);
    database.resume();
    await put('e');
    database.settle();
    expect([stored(), forgotten]).toEqual([['a', 'e'], 4]);
  });

  test('is not begun when gathering throws', async () => {
    const failing = () =>
      database.handOver(() => {
        database.write(PUT, 'a', 1);
        throw new Error('gathering');
      });
    expect(failing).toThrow('gathering');
    await put('b');
    await database.applied();
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
      put('b').then(() => database.applied()),
    ];
    await Promise.all(answers);
    expect([seen, stored()]).toEqual([[['a']], ['a', 'b', 'turn']]);
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

describe('a file', () => {
  let copied: ReturnType<typeof temporaryDirectory>;
  beforeEach(() => {
    open(directory.path);
    copied = temporaryDirectory();
  });
  afterEach(() => copied.remove());
  /** The directory as a kill leaves it. */
  const copy = () => {
    const isLock = (file: string) => file.endsWith('faultline.lock');
    cpSync(directory.path, copied.path, { recursive: true, filter: (file) => !isLock(file) });
    return copied.path;
  };
  const reopen = async (path: string) => {
    await database.endWriter();
    database.close();
    open(path);
  };

  test('that takes no writes fails them, and takes them again once it can', async () => {
    database.db.exec('BEGIN IMMEDIATE');
    const errors = await Promise.all(
      [put('a'), put('b')].map((answer) =>
        answer.then(
          () => null,
          (error) => error,
        ),
      ),
    );
    expect(errors.map(isStorageFailure)).toEqual([true, true]);
    expect(() => database.settle()).toThrow('locked');
    database.db.exec('ROLLBACK');
    database.resume();
    await put('c');
    database.settle();
    expect(stored()).toEqual(['c']);
  }, 15_000);

  test('is given what a killed process had kept, once', async () => {
    const puts = Array.from({ length: 20 }, (_, n) => put(`n${String(n).padStart(2, '0')}`));
    await Promise.all(puts.slice(0, 10));
    await database.applied();
    await Promise.all(puts);
    const path = copy();
    for (let opened = 0; opened < 2; opened++) {
      await reopen(path);
      expect([stored().length, refused]).toEqual([20, []]);
    }
    await put('later');
    await database.applied();
    expect(stored()).toHaveLength(21);
  });
});

describe('the writer of a file', () => {
  const write = (writer: Writer, text: string, ...values: string[]) => {
    const changes: Changes = { texts: [text], steps: [0, values.length], values };
    const kept = Promise.withResolvers<Error | null>();
    const applied = Promise.withResolvers<void>();
    writer.write(changes, { kept: kept.resolve, applied: applied.resolve });
    return { kept: kept.promise, applied: applied.promise };
  };
  const failures: Error[] = [];
  const openOn = (path: string): Writer => {
    const here = { statement: () => undefined as never, transaction: () => {} };
    return openWriter(path, here, { failed: (error) => failures.push(error), refused: (all) => refused.push(...all) });
  };
  let file: string;
  let writer: Writer;
  beforeEach(async () => {
    open(directory.path);
    await database.endWriter();
    file = join(directory.path, 'faultline.db');
    writer = openOn(file);
  });
  afterEach(() => writer.close());
  const put = (name: string) => write(writer, PUT, name, '1');

  test('keeps what cannot be committed, takes nothing more, and commits it once it can', async () => {
    const one = put('one');
    const broken = write(writer, 'ALTER TABLE cursor RENAME TO away');
    expect(await Promise.all([one.kept, broken.kept])).toEqual([null, null]);
    writer.hurry();
    while (failures.length === 0) await new Promise((resolve) => setTimeout(resolve, 2));
    expect((await write(writer, 'SELECT 1').kept)?.message).toContain('no such table: cursor');
    expect(stored()).toEqual([]);
    writer.resume();
    const mended = write(writer, 'ALTER TABLE away RENAME TO cursor');
    await Promise.all([one.applied, mended.applied]);
    expect(stored()).toEqual(['one']);
  });

  test('whose thread dies fails what that had not answered; the next one brings what was kept first', async () => {
    const away = join(directory.path, 'away');
    renameSync(file, away);
    mkdirSync(file);
    expect(isStorageFailure(await put('lost').kept)).toBe(true);
    expect(isStorageFailure(await put('later').kept)).toBe(true);
    rmdirSync(file);
    renameSync(away, file);
    const log = openRedoLog(directory.path, 0);
    log.append(packChanges({ texts: [PUT], steps: [0, 2], values: ['kept', '1'] }));
    log.close();
    writer.resume();
    await put('next').applied;
    expect(stored()).toEqual(['kept', 'next']);
  });
});
