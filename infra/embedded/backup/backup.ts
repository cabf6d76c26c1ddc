import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { connectReader } from '#infra/embedded/redo-log/connections.ts';
import { settle } from '#infra/embedded/redo-log/database.ts';
import { REDO_FILES, removeRedoLog } from '#infra/embedded/redo-log/redo-log-file.ts';
import { DATABASE_FILE, prepareDirectory, syncDirectory } from '#infra/embedded/sqlite/data-directory.ts';
import { lockDirectory } from '#infra/embedded/sqlite/directory-lock.ts';
import { FIRST_LAYOUT, layoutOf, NEWEST_LAYOUT } from '#infra/embedded/sqlite/migrations.ts';

/** A copy in parts restarts with each write of the server, and on a busy one never ends. */
const ALL_PAGES = 2 ** 31 - 1;
/** A journal that changes files during its copy seems damaged. */
const ATTEMPTS = 5;
const CACHE_KIB = 16_384;
const DIRECTORY_MODE = 0o700;
const OWNER_ONLY = 0o600;

/** Properties of a backup that was opened and read whole. */
export interface CheckedBackup {
  readonly bytes: number;
  readonly events: number;
}

const refuse = (message: string): never => {
  throw new Error(message);
};

/** Reads every page. Throws when the file is no intact database of this version or an earlier one. */
function checked(file: string): CheckedBackup {
  let db: DatabaseSync | undefined;
  try {
    db = connectReader(file, CACHE_KIB);
    const layout = layoutOf(db);
    if (layout < FIRST_LAYOUT) refuse('it has no data of Faultline');
    if (layout > NEWEST_LAYOUT) refuse('it was written by a newer version of Faultline');
    const { quick_check: found } = db.prepare('PRAGMA quick_check(1)').get() as { quick_check: string };
    if (found !== 'ok') refuse(found);
    const { events } = db.prepare('SELECT count(*) AS events FROM event').get() as { events: number };
    return { bytes: statSync(file).size, events };
  } catch (error) {
    throw new Error(`${file} is no intact backup: ${(error as Error).message}`);
  } finally {
    db?.close();
  }
}

function sync(path: string): void {
  const descriptor = openSync(path, 'r+');
  fsyncSync(descriptor);
  closeSync(descriptor);
}

/** The journal first: the database, copied later, has all that left it meanwhile. */
async function copyOf(directory: string, to: string): Promise<void> {
  rmSync(to, { recursive: true, force: true });
  mkdirSync(to, { mode: DIRECTORY_MODE });
  for (const file of REDO_FILES)
    if (existsSync(join(directory, file))) copyFileSync(join(directory, file), join(to, file));
  const source = connectReader(join(directory, DATABASE_FILE), CACHE_KIB);
  try {
    await backup(source, join(to, DATABASE_FILE), { rate: ALL_PAGES });
  } finally {
    source.close();
  }
  settle(to);
}

async function consistentCopy(directory: string, to: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1)
    try {
      return await copyOf(directory, to);
    } catch (error) {
      if (attempt === ATTEMPTS) throw error;
    }
}

/** Leaves one file, which needs none beside it. */
function closed(file: string): void {
  const db = new DatabaseSync(file);
  db.exec('PRAGMA journal_mode = DELETE');
  db.close();
  chmodSync(file, OWNER_ONLY);
  sync(file);
}

/**
 * Writes everything acknowledged before the call into one file, with or without a server on the directory. The file
 * has its name only when it is whole, checked and on disk.
 */
export async function backUp(directory: string, output: string): Promise<CheckedBackup> {
  if (!existsSync(join(directory, DATABASE_FILE)))
    refuse(`There is no ${DATABASE_FILE} in ${directory}. Set FAULTLINE_DATA.`);
  if (existsSync(output)) refuse(`${output} exists already. Choose another name.`);
  const folder = dirname(resolve(output));
  if (!existsSync(folder)) refuse(`The folder ${folder} does not exist. Create it, or choose another one.`);
  const work = `${output}.partial`;
  try {
    await consistentCopy(directory, work);
    const copy = join(work, DATABASE_FILE);
    closed(copy);
    const facts = checked(copy);
    renameSync(copy, output);
    syncDirectory(folder);
    return facts;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** Throws, without a change, when the file is no intact backup, a server runs, or there is data that may not go. */
export function restore(file: string, directory: string, overwrites: boolean): CheckedBackup {
  if (!existsSync(file)) refuse(`${file} does not exist.`);
  const facts = checked(file);
  const target = join(directory, DATABASE_FILE);
  const isUsed = [DATABASE_FILE, ...REDO_FILES].some(
    (name) => (statSync(join(directory, name), { throwIfNoEntry: false })?.size ?? 0) > 0,
  );
  prepareDirectory(directory);
  const release = lockDirectory(directory);
  try {
    if (isUsed && !overwrites)
      refuse(
        `${directory} has data already. Set FAULTLINE_DATA to an empty directory, or replace the data with --overwrite.`,
      );
    const arriving = `${target}.restored`;
    copyFileSync(file, arriving);
    sync(arriving);
    for (const ending of ['-wal', '-shm']) rmSync(target + ending, { force: true });
    removeRedoLog(directory);
    renameSync(arriving, target);
    prepareDirectory(directory);
    syncDirectory(directory);
    return facts;
  } finally {
    release();
  }
}
