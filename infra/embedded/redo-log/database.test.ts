import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { isStorageFailure } from '#infra/embedded/sqlite/errors.ts';
import { FIRST_LAYOUT, MIGRATIONS, migrate, NEWEST_LAYOUT } from '#infra/embedded/sqlite/migrations.ts';
import { temporaryDirectory } from '#test/setup/directory.ts';
import { until } from '#test/setup/until.ts';
import { StatementRecorder } from './commit-queue.ts';
import { type Database, MEMORY, openDatabase } from './database.ts';
import { type Damage, openRedoLogFile } from './redo-log-file.ts';
import { identityOf } from './replay.ts';
import { packChanges } from './writer.ts';

let directory: ReturnType<typeof temporaryDirectory>;
beforeEach(() => {
  directory = temporaryDirectory();
});
afterEach(() => directory.remove());

const thrownBy = (work: () => unknown): unknown => {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
};

describe('the data directory', () => {
  test('is made with access for its owner alone', () => {
    const path = join(directory.path, 'deep', 'data');
    openDatabase(path).close();
    expect(statSync(path).mode & 0o777).toBe(0o700);
  });

  test.each([
    ['which was there', 0o755, []],
    ['in which others may write', 0o775, [0o775]],
  ])('%s keeps its mode, and others read none of its files', (_, mode, told) => {
    chmodSync(directory.path, mode);
    for (const file of ['faultline.db', 'faultline.redo.damaged', 'notes.txt']) {
      writeFileSync(join(directory.path, file), '');
      chmodSync(join(directory.path, file), 0o644);
    }
    const shared: number[] = [];
    const database = openDatabase(directory.path, { isShared: (found) => shared.push(found) });
    const log = openRedoLogFile(directory.path, identityOf(database.statement)!, 0);
    const modes = readdirSync(directory.path).map((file) => [file, statSync(join(directory.path, file)).mode & 0o777]);
    log.close();
    database.close();
    expect([statSync(directory.path).mode & 0o777, shared]).toEqual([mode, told]);
    const files = ['db', 'db-shm', 'db-wal', 'lock', 'lock-journal', 'redo', 'redo.damaged', 'redo2'];
    expect(modes.sort()).toEqual([...files.map((file) => [`faultline.${file}`, 0o600]), ['notes.txt', 0o644]]);
  });

  test('is refused while it is open, and free again after it is closed', () => {
    const first = openDatabase(directory.path);
    expect(() => openDatabase(directory.path)).toThrow(
      `The data directory ${directory.path} is in use by another Faultline process. Stop that process, or set FAULTLINE_DATA to another directory.`,
    );
    first.close();
    openDatabase(directory.path).close();
  });

  test('is refused while another process has it, and free after that process was killed', async () => {
    const script = `import { openDatabase } from ${JSON.stringify(fileURLToPath(new URL('./database.ts', import.meta.url)))};
      openDatabase(${JSON.stringify(directory.path)}).db.exec("INSERT INTO cursor VALUES ('kept', 7)");
      process.stdout.write('open'); setInterval(() => {}, 1000);`;
    const other = spawn(process.execPath, [
      '--disable-warning=ExperimentalWarning',
      '--input-type=module',
      '-e',
      script,
    ]);
    await once(other.stdout, 'data');
    try {
      expect(() => openDatabase(directory.path)).toThrow('in use by another Faultline process');
    } finally {
      other.kill('SIGKILL');
      await once(other, 'exit');
    }
    const database = openDatabase(directory.path);
    expect(database.db.prepare("SELECT position FROM cursor WHERE name = 'kept'").get()?.position).toBe(7);
    database.close();
  });

  test.each([
    ['a newer program', NEWEST_LAYOUT + 1, 'was written by a newer version of Faultline'],
    ['a version before 0.1.0', 18, "was created by a version before 0.1.0, which this version can't read"],
    ['a version just before 0.1.0', FIRST_LAYOUT - 1, 'Set FAULTLINE_DATA to an empty directory'],
  ])('written by %s is refused and stays as it is', (_, layout, told) => {
    openDatabase(directory.path).close();
    const path = join(directory.path, 'faultline.db');
    const other = new DatabaseSync(path);
    other.exec(`PRAGMA user_version = ${layout}`);
    other.close();
    const redo = join(directory.path, 'faultline.redo');
    writeFileSync(redo, 'of that program');
    const before = readFileSync(path);
    expect(() => openDatabase(directory.path)).toThrow(told);
    expect([readFileSync(path).equals(before), String(readFileSync(redo))]).toEqual([true, 'of that program']);
  });

  test('keeps what was committed', () => {
    const first = openDatabase(directory.path);
    first.transaction(() => first.db.exec("INSERT INTO cursor VALUES ('a', 1)"));
    first.close();
    const second = openDatabase(directory.path);
    expect(second.db.prepare("SELECT position FROM cursor WHERE name = 'a'").get()?.position).toBe(1);
    second.close();
  });
});

test('the file is durable and written ahead', () => {
  const { db, close } = openDatabase(directory.path);
  const pragma = (name: string) => Object.values(db.prepare(`PRAGMA ${name}`).get() ?? {})[0];
  expect(pragma('journal_mode')).toBe('wal');
  expect(pragma('synchronous')).toBe(2);
  expect(pragma('page_size')).toBe(4096);
  close();
});

describe('migrations', () => {
  test('are numbered from that of 0.1.0 without gaps', () => {
    expect(MIGRATIONS.map(({ id }) => id)).toEqual(MIGRATIONS.map((_, i) => FIRST_LAYOUT + i));
  });

  test('that fail leave the layout before them', () => {
    const db = new DatabaseSync(MEMORY);
    const steps = [
      { id: 1, name: 'good', sql: 'CREATE TABLE a (x)' },
      { id: 2, name: 'bad', sql: 'CREATE TABLE b (x); CREATE TABLE a (x)' },
    ];
    expect(() => migrate(db, steps)).toThrow('Migration 2 (bad) failed');
    expect(db.prepare('PRAGMA user_version').get()?.user_version).toBe(1);
    expect(db.prepare("SELECT name FROM sqlite_master WHERE name = 'b'").get()).toBeUndefined();
    migrate(db, [steps[0]!, { id: 2, name: 'good too', sql: 'CREATE TABLE b (x)' }]);
    expect(db.prepare('PRAGMA user_version').get()?.user_version).toBe(2);
  });
});

describe('a transaction', () => {
  test('rolls back on a throw and lets caches forget', () => {
    const database = openDatabase(MEMORY);
    let forgotten = 0;
    database.onRollback(() => forgotten++);
    const failing = () =>
      database.transaction(() => {
        database.db.exec("INSERT INTO cursor VALUES ('a', 1)");
        throw new Error('no');
      });
    expect(failing).toThrow('no');
    expect(database.db.prepare("SELECT position FROM cursor WHERE name = 'a'").get()).toBeUndefined();
    expect(forgotten).toBe(1);
    expect(database.transaction(() => database.transaction(() => 5))).toBe(5);
    database.close();
  });
});

describe('the write-ahead log', () => {
  const MORE_THAN_A_CHECKPOINT = 32_000;
  const pages = (database: Database) =>
    database.db.prepare('PRAGMA wal_checkpoint(NOOP)').get() as { log: number; checkpointed: number };

  test('what this thread writes directly is copied into the file by another thread', async () => {
    const database = openDatabase(directory.path);
    // Makes the writer start.
    await database.submit(() => database.write("INSERT INTO cursor VALUES ('a', 1)"));
    await database.applied();
    const write = (name: string, rows: number) =>
      database.exclusive(() =>
        database.transaction(() => {
          for (let n = 0; n < rows; n++)
            database.write('INSERT INTO record VALUES (?, ?, ?, 1, NULL, ?)', 't', name, String(n), 'x'.repeat(4_096));
          return null;
        }),
      );
    await write('some', 10_000);
    expect(pages(database)).toMatchObject({ log: expect.any(Number), checkpointed: 0 });
    expect(pages(database).log).toBeGreaterThan(10_000);
    await write('more', MORE_THAN_A_CHECKPOINT - 10_000);
    await until(async () => pages(database).checkpointed >= MORE_THAN_A_CHECKPOINT);
    await database.endWriter();
    database.close();
  });
});

describe('storage failures', () => {
  test('a full disk is one; afterwards the file works again', () => {
    const database = openDatabase(directory.path);
    database.db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    const pages = Number(database.db.prepare('PRAGMA page_count').get()?.page_count);
    database.db.exec(`PRAGMA max_page_count = ${pages}`);
    const fill = () =>
      database.transaction(() => {
        const insert = database.db.prepare("INSERT INTO record VALUES ('t', 'k', ?, 1, NULL, ?)");
        for (let i = 0; i < 100; i++) insert.run(String(i), 'x'.repeat(4096));
      });
    const error = thrownBy(fill);
    expect(error).toMatchObject({ errcode: 13 });
    expect(isStorageFailure(error)).toBe(true);
    database.db.exec('PRAGMA max_page_count = 1000000');
    fill();
    expect(database.db.prepare('SELECT count(*) AS n FROM record').get()?.n).toBe(100);
    database.close();
  });

  test('a write to a file that may only be read is one', () => {
    openDatabase(directory.path).close();
    const db = new DatabaseSync(join(directory.path, 'faultline.db'), { readOnly: true });
    expect(isStorageFailure(thrownBy(() => db.exec("INSERT INTO cursor VALUES ('a', 1)")))).toBe(true);
    db.close();
  });

  test.each([
    ['a refused value', "INSERT INTO cursor VALUES ('a', 'text')"],
    ['a repeated key', "INSERT INTO cursor VALUES ('a', 1), ('a', 1)"],
    ['a wrong statement', 'SELEC'],
  ])('%s is none', (_name, sql) => {
    const { db, close } = openDatabase(MEMORY);
    expect(isStorageFailure(thrownBy(() => db.exec(sql)))).toBe(false);
    close();
  });

  test.each([[new Error('x')], ['text'], [null], [Object.assign(new Error('x'), { errcode: 'y' })]])(
    '%p is none',
    (error) => expect(isStorageFailure(error)).toBe(false),
  );
});

describe('a redo log that does not fit', () => {
  /** Leaves files like a killed server: `count` entries after `last`, each a row of its own. */
  const leave = (last: number, count: number): void => {
    const database = openDatabase(directory.path);
    const log = openRedoLogFile(directory.path, identityOf(database.statement)!, last);
    database.close();
    for (let n = last + 1; n <= last + count; n++) {
      const recorder = new StatementRecorder();
      recorder.record('INSERT INTO cursor VALUES (?, ?)', [`row ${n}`, n]);
      log.append([packChanges(recorder.changes)]);
    }
    log.close();
  };
  const rows = (database: Database) =>
    database.db.prepare("SELECT count(*) AS n FROM cursor WHERE name LIKE 'row %'").get()?.n;

  const FILES = ['faultline.db', 'faultline.db-wal', 'faultline.redo', 'faultline.redo2'];
  const bytes = (): Record<string, Buffer> =>
    Object.fromEntries(
      FILES.map((file) => join(directory.path, file))
        .filter((path) => existsSync(path))
        .map((path) => [path, readFileSync(path)]),
    );
  /** Runs a server on another directory, and copies these of its files as a kill would have left them. */
  const copyOfAnother = async (files: readonly string[], puts: number): Promise<void> => {
    const other = temporaryDirectory();
    const database = openDatabase(other.path);
    for (let n = 1; n <= puts; n++)
      await database.submit(() => database.write('INSERT INTO cursor VALUES (?, ?)', `row ${n}`, n));
    for (const file of files) copyFileSync(join(other.path, file), join(directory.path, file));
    await database.endWriter();
    database.close();
    other.remove();
  };

  test('of another database, with the next numbers: the start is refused, and the files are as they were', async () => {
    await copyOfAnother(['faultline.db', 'faultline.db-wal'], 0);
    await copyOfAnother(['faultline.redo', 'faultline.redo2'], 3);
    const before = bytes();
    expect(Object.values(before).map(({ length }) => length > 0)).toEqual([true, true, true, false]);
    expect(() => openDatabase(directory.path)).toThrow('belongs to a different database than faultline.db');
    expect(bytes()).toEqual(before);
    rmSync(join(directory.path, 'faultline.redo'));
    const database = openDatabase(directory.path);
    expect(rows(database)).toBe(0);
    database.close();
  });

  test('beside no database: the start is refused, and goes on when the database is back', async () => {
    await copyOfAnother(FILES, 3);
    const path = join(directory.path, 'faultline.db');
    for (const file of [path, `${path}-wal`]) renameSync(file, `${file}.away`);
    for (let start = 0; start < 2; start++)
      expect(() => openDatabase(directory.path)).toThrow('belongs to a different database');
    for (const file of [path, `${path}-wal`]) renameSync(`${file}.away`, file);
    const database = openDatabase(directory.path);
    expect(rows(database)).toBe(3);
    database.close();
  });

  test('and one of the server that a backup of its running database is put beside: what follows is carried out', async () => {
    await copyOfAnother(FILES, 2);
    const path = join(directory.path, 'faultline.db');
    const copy = new DatabaseSync(path);
    copy.exec(`VACUUM INTO '${path}.copy'`);
    copy.close();
    for (const file of [`${path}-wal`, `${path}-shm`]) rmSync(file, { force: true });
    renameSync(`${path}.copy`, path);
    const database = openDatabase(directory.path);
    expect(rows(database)).toBe(2);
    database.close();
  });

  test('the identity stays over starts, and a database whose first start was killed before gets one', () => {
    const opened = (): number => {
      const database = openDatabase(directory.path);
      const identity = identityOf(database.statement)!;
      database.close();
      return identity;
    };
    const first = opened();
    expect([opened(), first > 0, first < 2 ** 48]).toEqual([first, true, true]);
    const db = new DatabaseSync(join(directory.path, 'faultline.db'));
    db.exec("DELETE FROM cursor WHERE name = 'identity'");
    db.close();
    const second = opened();
    expect([opened(), second === first]).toEqual([second, false]);
  });

  test('damaged: what is before the damage is there, the rest is told and its files kept', () => {
    openDatabase(directory.path).close();
    leave(0, 10);
    const file = join(directory.path, 'faultline.redo');
    const bytes = readFileSync(file);
    bytes[Math.floor(bytes.length / 2)]! ^= 1;
    writeFileSync(file, bytes);
    const told: unknown[] = [];
    const database = openDatabase(directory.path, { damaged: (...all) => told.push(all) });
    const { lost } = (told as [Damage][])[0]![0];
    expect([lost > 1, lost < 10, rows(database)]).toEqual([true, true, lost - 1]);
    expect(told).toEqual([
      [{ lost, behind: [lost + 1, 10] }, ['redo', 'redo2'].map((name) => `faultline.${name}.${lost}.damaged`)],
    ]);
    database.close();
    const again = openDatabase(directory.path, { damaged: (...all) => told.push(all) });
    expect([told.length, rows(again)]).toEqual([1, lost - 1]);
    again.close();
  });

  const redo = (): string[] => ['redo', 'redo2'].map((name) => join(directory.path, `faultline.${name}`));
  /** Entries after `applied` through `last`, of which the second of all is damaged and those behind `split` are in the other file. Returns the bytes of each file. */
  const leaveDamaged = (applied: number, split: number, last: number): Buffer[] => {
    leave(applied, last - applied);
    const [first, second] = redo();
    const bytes = readFileSync(first!);
    const size = bytes.length / (last - applied);
    bytes[size * (2 - applied) - 1]! ^= 1;
    writeFileSync(second!, bytes.subarray(size * (split - applied)));
    writeFileSync(first!, bytes.subarray(0, size * (split - applied)));
    return redo().map((file) => readFileSync(file));
  };
  /** A start that is killed after it has set this number of files aside under this suffix. */
  const killedStart = (moved: number, end: string): void => {
    const kill = (): never => {
      for (const file of redo().slice(0, moved)) renameSync(file, `${file}${end}`);
      throw new Error('killed');
    };
    expect(() => openDatabase(directory.path, { damaged: kill })).toThrow('killed');
  };
  const opened = (): unknown[] => {
    const told: unknown[] = [];
    const database = openDatabase(directory.path, { damaged: (...all) => told.push(all) });
    expect(rows(database)).toBe(1);
    database.close();
    return told;
  };
  const aside = (end: string): Buffer[] => redo().map((file) => readFileSync(`${file}${end}`));

  test.each([0, 1, 2])(
    'damaged, and the start is killed after it set %i files aside: the next one tells it again and goes on',
    (moved) => {
      openDatabase(directory.path).close();
      // State after rotation: the damaged entry is the last of its file.
      const left = leaveDamaged(0, 2, 4);
      killedStart(moved, '.2.damaged');
      expect(opened()).toEqual([
        [{ lost: 2, behind: [3, 4] }, ['faultline.redo.2.damaged', 'faultline.redo2.2.damaged']],
      ]);
      expect(opened()).toEqual([]);
      expect(aside('.2.damaged')).toEqual(left);
    },
  );

  test.each([0, 1, 2])(
    'damaged at one number again and again: all files stay, though a start is killed after it set %i of them aside',
    (moved) => {
      openDatabase(directory.path).close();
      const first = leaveDamaged(0, 2, 4);
      opened();
      const second = leaveDamaged(1, 3, 5);
      killedStart(moved, '.2.2.damaged');
      expect(opened()).toEqual([
        [{ lost: 2, behind: [3, 5] }, ['faultline.redo.2.2.damaged', 'faultline.redo2.2.2.damaged']],
      ]);
      const third = leaveDamaged(1, 3, 6);
      expect(opened()).toEqual([
        [{ lost: 2, behind: [3, 6] }, ['faultline.redo.2.3.damaged', 'faultline.redo2.2.3.damaged']],
      ]);
      expect(['.2.damaged', '.2.2.damaged', '.2.3.damaged'].map(aside)).toEqual([first, second, third]);
    },
  );

  test.each([
    ['behind entries that are applied', (bytes: Buffer) => bytes],
    ['alone in its file', (bytes: Buffer, size: number) => bytes.subarray(size)],
    ['alone in its file, its head as well', (bytes: Buffer, size: number) => bytes.subarray(size).fill(0xff, 0, 4)],
  ])('damaged at the first entry that is not applied, %s: the start sets all of it aside', (_, kept) => {
    openDatabase(directory.path).close();
    leave(0, 1);
    openDatabase(directory.path).close();
    // 1 is applied, 2 is damaged, 3 and 4 are in the other file.
    leave(0, 4);
    const [first, second] = redo();
    const bytes = readFileSync(first!);
    const size = bytes.length / 4;
    bytes[2 * size - 1]! ^= 1;
    writeFileSync(second!, bytes.subarray(2 * size));
    writeFileSync(first!, kept(bytes.subarray(0, 2 * size), size));
    const left = redo().map((file) => readFileSync(file));
    expect(opened()).toEqual([
      [{ lost: 2, behind: [3, 4] }, ['faultline.redo.2.damaged', 'faultline.redo2.2.damaged']],
    ]);
    expect([opened(), aside('.2.damaged')]).toEqual([[], left]);
  });

  test('damaged, with only one of the files aside from before: both get the next name', () => {
    openDatabase(directory.path).close();
    const left = leaveDamaged(0, 2, 4);
    writeFileSync(`${redo()[1]}.2.damaged`, 'of an earlier damage');
    killedStart(1, '.2.2.damaged');
    expect(opened()).toEqual([
      [{ lost: 2, behind: [3, 4] }, ['faultline.redo.2.2.damaged', 'faultline.redo2.2.2.damaged']],
    ]);
    expect(aside('.2.2.damaged')).toEqual(left);
    expect(String(readFileSync(`${redo()[1]}.2.damaged`))).toBe('of an earlier damage');
  });

  test.each(['whole', 'damaged at its first entry'])(
    '%s, and the database is gone: the start is refused, and the log stays',
    (how) => {
      openDatabase(directory.path).close();
      leave(0, 3);
      const file = join(directory.path, 'faultline.redo');
      const bytes = readFileSync(file);
      if (how !== 'whole') bytes[40]! ^= 1;
      writeFileSync(file, bytes);
      for (const end of ['', '-wal', '-shm']) rmSync(join(directory.path, `faultline.db${end}`), { force: true });
      expect(() => openDatabase(directory.path)).toThrow('belongs to a different database than faultline.db');
      expect(readFileSync(file).equals(bytes)).toBe(true);
    },
  );

  test('of another database: the start is refused, nothing is changed, and without the files it goes on', () => {
    openDatabase(directory.path).close();
    leave(90, 3);
    expect(() => openDatabase(directory.path)).toThrow('begins with batch 91, but faultline.db ends with batch 0');
    expect(existsSync(join(directory.path, 'faultline.redo'))).toBe(true);
    rmSync(join(directory.path, 'faultline.redo'));
    const database = openDatabase(directory.path);
    expect(rows(database)).toBe(0);
    database.close();
  });
});
