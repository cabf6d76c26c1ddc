import { cpSync, existsSync, mkdirSync, renameSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { DeadLetter } from '#domain/ports/operations.ts';
import { isStorageFailure } from '#infra/embedded/sqlite/errors.ts';
import { temporaryDirectory } from '#test/setup/directory.ts';
import { type Database, MEMORY, openDatabase } from './database.ts';
import { openRedoLogFile } from './redo-log-file.ts';
import { identityOf, type RefusedChange } from './replay.ts';
import type { RowChanges } from './statements.ts';
import { WriteBehindCache } from './write-behind.ts';
import { openWriter, packChanges, type Writer } from './writer.ts';

const PUT = 'INSERT INTO cursor VALUES (?, ?)';
const message = (error: unknown) => (error as Error).message;

let directory: ReturnType<typeof temporaryDirectory>;
let database: Database;
let forgotten: number;
let refused: RefusedChange[];
let waits: number[];
const open = (path: string) => {
  database = openDatabase(path, { refused: (all) => refused.push(...all), waited: (ms) => waits.push(ms) });
  database.onRollback(() => forgotten++);
};
beforeEach(() => {
  directory = temporaryDirectory();
  forgotten = 0;
  refused = [];
  waits = [];
});
afterEach(async () => {
  if (database.db.isOpen) await database.endWriter();
  database.close();
  directory.remove();
});
const put = (name: string, position = 1) => database.submit(() => database.write(PUT, name, position));
const identity = () => identityOf(database.statement)!;
const stored = () =>
  database.arrays("SELECT name FROM cursor WHERE name NOT IN ('redo', 'identity') ORDER BY name").all().flat();

describe.each(['file', 'memory'])('hand-over to the writer of a database in a %s', (kind) => {
  beforeEach(() => open(kind === 'file' ? directory.path : MEMORY));

  test('is durable in order, answered, and applied in order', async () => {
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

  test('can be waited for without a turn of the event loop, and it is told how long that was', () => {
    const pending = database.addListener((isRecording) => new WriteBehindCache<string, number>(isRecording));
    void database.submit(() => {
      database.write(PUT, 'a', 1);
      pending.set('a', 1);
    });
    expect(pending.get('a')).toBe(1);
    database.waitApplied();
    expect([stored(), pending.get('a')]).toEqual([['a'], undefined]);
    database.waitApplied();
    expect(waits.map((ms) => ms > 0)).toEqual([true]);
  });

  test('is not begun when recording throws', async () => {
    const failing = () =>
      database.submit(() => {
        database.write(PUT, 'a', 1);
        throw new Error('recording');
      });
    expect(failing).toThrow('recording');
    await put('b');
    await database.applied();
    expect([stored(), forgotten]).toEqual([['b'], 1]);
  });

  test('who writes at once waits for its turn, and what comes later waits for it', async () => {
    const seen: unknown[] = [];
    const answers = [
      put('a'),
      database.exclusive(() => {
        seen.push(stored());
        database.transaction(() => database.write(PUT, 'turn', 1));
      }),
      put('b').then(() => database.applied()),
    ];
    await Promise.all(answers);
    expect([seen, stored()]).toEqual([[['a']], ['a', 'b', 'turn']]);
    await expect(
      database.exclusive(() => {
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

test('a hand-over that a database in memory refuses fails as a whole, and takes what follows along until memory was read anew', async () => {
  open(MEMORY);
  const failures: Error[] = [];
  database.onFailure((error) => failures.push(error));
  await put('a');
  const failed = database.submit(() => {
    database.write(PUT, 'b', 1);
    database.write(PUT, 'a', 1);
  });
  const errors = [failed, put('c')].map((answer) => answer.then(() => '', message));
  expect(await Promise.all(errors)).toEqual([expect.stringContaining('UNIQUE'), expect.stringContaining('UNIQUE')]);
  expect(() => database.waitApplied()).toThrow('UNIQUE');
  await expect(put('d').catch(isStorageFailure)).resolves.toBe(false);
  // The reader of memory is notified once, regardless of the writer of the lost batch.
  expect(failures.map(message)).toEqual([expect.stringContaining('UNIQUE')]);
  await database.resume();
  await put('e');
  database.waitApplied();
  expect([stored(), forgotten]).toEqual([['a', 'e'], 4]);
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

  const letters = () =>
    database
      .arrays("SELECT body FROM record WHERE tenant = '_system' AND kind = 'dead-letter'")
      .all()
      .map((row) => JSON.parse((row as unknown as [string])[0]) as DeadLetter);
  const contentOf = ({ content }: DeadLetter): unknown =>
    content.kind === 'document' && JSON.parse(Buffer.from(content.base64, 'base64').toString());

  test('that takes no writes goes on taking what the log can keep until that shows, and has it all in the end', async () => {
    database.db.exec('BEGIN IMMEDIATE');
    await Promise.all([put('a'), put('b')]);
    await expect(database.applied().catch(isStorageFailure)).resolves.toBe(true);
    await expect(put('c').catch(isStorageFailure)).resolves.toBe(true);
    expect(() => database.waitApplied()).toThrow('locked');
    database.db.exec('ROLLBACK');
    await database.resume();
    await put('d');
    database.waitApplied();
    expect(stored()).toEqual(['a', 'b', 'd']);
  }, 15_000);

  test('that refuses one durable change has all others, a dead letter of that one, and memory is read anew', async () => {
    await put('a');
    await database.submit(() => {
      database.write(PUT, 'b', 1);
      database.write(PUT, 'a', 2);
      database.write(PUT, 'c', 1);
    });
    await expect(database.applied()).rejects.toThrow('UNIQUE');
    await expect(put('lost')).rejects.toThrow('UNIQUE');
    await database.resume();
    await put('d');
    await database.applied();
    expect([stored(), forgotten > 0]).toEqual([['a', 'b', 'c', 'd'], true]);
    const one = { number: 2, reason: expect.stringContaining('UNIQUE'), text: PUT, values: ['a', 2] };
    expect(refused).toEqual([one]);
    expect(letters()).toMatchObject([{ processor: 'store', offset: 2, reason: one.reason }]);
    expect(contentOf(letters()[0]!)).toEqual({ text: PUT, values: ['a', 2] });
  });

  test('that a kill left behind refuses of durable changes only what it must', async () => {
    await put('a');
    await database.applied();
    const log = openRedoLogFile(directory.path, identity(), 1);
    const values = ['b', 1, 'a', 3, new Uint8Array([1, 2]), 4];
    log.append([packChanges({ texts: [PUT], steps: [0, 2, 0, 2, 0, 2], values })]);
    log.close();
    await reopen(copy());
    expect(refused).toMatchObject([{ values: ['a', 3] }, { values: ['AQI=', 4] }]);
    expect([letters().length, stored()]).toEqual([2, ['a', 'b']]);
  });

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
  let batches: { kept(error: Error | null): void; applied(): void }[];
  const write = (writer: Writer, text: string, ...values: string[]) => {
    const changes: RowChanges = { texts: [text], steps: [0, values.length], values };
    const kept = Promise.withResolvers<Error | null>();
    const applied = Promise.withResolvers<void>();
    batches.push({ kept: kept.resolve, applied: applied.resolve });
    writer.write(batches.length, changes);
    return { kept: kept.promise, applied: applied.promise };
  };
  const failures: Error[] = [];
  const openOn = (path: string): Writer => {
    const here = { statement: () => undefined as never, transaction: () => {} };
    batches = [];
    return openWriter(path, here, {
      batchDurable: (batch) => batches[batch - 1]!.kept(null),
      batchLost: (batch, error) => batches[batch - 1]!.kept(error),
      batchApplied: (batch) => batches[batch - 1]!.applied(),
      storeFailed: (error) => failures.push(error),
      changesRefused: (all) => refused.push(...all),
    });
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
    writer.applyNow();
    while (failures.length === 0) await new Promise((resolve) => setTimeout(resolve, 2));
    expect((await write(writer, 'SELECT 1').kept)?.message).toContain('no such table: cursor');
    expect(stored()).toEqual([]);
    writer.resume();
    const mended = write(writer, 'ALTER TABLE away RENAME TO cursor');
    expect(await mended.kept).toBeNull();
    // The first call may have preceded the repeated commit.
    const again = setInterval(() => writer.resume(), 50);
    await Promise.all([one.applied, mended.applied]);
    clearInterval(again);
    expect(stored()).toEqual(['one']);
  });

  test('that is closed takes nothing any more, and starts no thread', async () => {
    await put('before').kept;
    await writer.close();
    writer.resume();
    expect(isStorageFailure(await put('after').kept)).toBe(true);
    expect([stored(), existsSync(join(directory.path, 'faultline.redo'))]).toEqual([['before'], false]);
  });

  test('whose thread dies fails what that had not answered; the next one applies what is durable first', async () => {
    const away = join(directory.path, 'away');
    renameSync(file, away);
    mkdirSync(file);
    expect(isStorageFailure(await put('lost').kept)).toBe(true);
    expect(isStorageFailure(await put('later').kept)).toBe(true);
    rmdirSync(file);
    renameSync(away, file);
    const log = openRedoLogFile(directory.path, identity(), 0);
    log.append([packChanges({ texts: [PUT], steps: [0, 2], values: ['kept', '1'] })]);
    log.close();
    writer.resume();
    await put('next').applied;
    expect(stored()).toEqual(['kept', 'next']);
  });
});
