import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { connectReader } from '#infra/embedded/redo-log/connections.ts';
import { type Database, openDatabase } from '#infra/embedded/redo-log/database.ts';
import { temporaryDirectory } from '#test/setup/directory.ts';
import { until } from '#test/setup/until.ts';
import { backUp, restore } from './backup.ts';

let directory: ReturnType<typeof temporaryDirectory>;
let data: string;
let database: Database;
beforeEach(() => {
  directory = temporaryDirectory();
  data = join(directory.path, 'data');
  database = openDatabase(data);
});
afterEach(async () => {
  await database.endWriter();
  database.close();
  directory.remove();
});

const put = (n: number): Promise<number> =>
  database.submit(() => database.write('INSERT INTO cursor VALUES (?, ?)', `test-${n}`, n));
const kept = (file: string): number => {
  const db = connectReader(file, 1_024);
  const { n } = db.prepare("SELECT count(*) AS n FROM cursor WHERE name LIKE 'test-%'").get() as { n: number };
  db.close();
  return n;
};
const named = (name: string): string => join(directory.path, name);

test('everything acknowledged before it began is in a backup, however busy the server is', async () => {
  let acknowledged = 0;
  let isOver = false;
  const write = async (): Promise<void> => {
    while (!isOver) {
      await put(acknowledged);
      acknowledged += 1;
    }
  };
  const writing = write();
  for (const name of ['0.db', '1.db', '2.db', '3.db']) {
    const enough = acknowledged + 20;
    await until(async () => acknowledged > enough);
    const before = acknowledged;
    await backUp(data, named(name));
    expect(kept(named(name))).toBeGreaterThanOrEqual(before);
  }
  isOver = true;
  await writing;
  expect(statSync(named('0.db')).mode & 0o077).toBe(0);
  expect(readdirSync(directory.path).filter((name) => name.includes('partial'))).toEqual([]);
});

test('a backup is restored into an empty directory, and into one with data only when told to', async () => {
  await put(1);
  await backUp(data, named('one.db'));
  await put(2);
  const other = named('other');
  expect(restore(named('one.db'), other, false).bytes).toBe(statSync(named('one.db')).size);
  const opened = openDatabase(other);
  expect(opened.statement("SELECT position FROM cursor WHERE name LIKE 'test-%'").all()).toEqual([{ position: 1 }]);
  expect(() => restore(named('one.db'), other, true)).toThrow(/in use by another Faultline process/);
  await opened.endWriter();
  opened.close();
  expect(() => restore(named('one.db'), other, false)).toThrow(/has data already.*--overwrite/);
  restore(named('one.db'), other, true);
  expect(kept(join(other, 'faultline.db'))).toBe(1);
});

test('what cannot be backed up or restored is refused and changes nothing', async () => {
  await backUp(data, named('one.db'));
  await expect(backUp(data, named('one.db'))).rejects.toThrow(/one\.db exists already/);
  await expect(backUp(named('none'), named('two.db'))).rejects.toThrow(/There is no faultline\.db in/);
  await expect(backUp(data, named('no/two.db'))).rejects.toThrow(/folder .* does not exist/);
  writeFileSync(named('text'), 'no database, but long enough to be read as the head of one');
  for (const [file, reason] of [
    ['text', /no intact backup/],
    ['missing', /does not exist/],
  ] as const)
    expect(() => restore(named(file), named('empty'), false)).toThrow(reason);
  expect(existsSync(named('empty'))).toBe(false);
});
