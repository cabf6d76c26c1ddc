import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  statSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';

export const DATABASE_FILE = 'faultline.db';
const LOCK_FILE = 'faultline.lock';

/** The database holds password hashes and the private keys of access tokens. */
const OWNER_ONLY = 0o600;
const DIRECTORY_MODE = 0o700;
const NOT_OWNER = 0o077;
const WRITABLE_BY_OTHERS = 0o022;

const isThere = (path: string): boolean => statSync(path, { throwIfNoEntry: false }) !== undefined;

/**
 * A loss of power may remove a new name in a directory, and with it all data under it; Windows syncs no directories.
 */
export function syncDirectory(directory: string): void {
  if (process.platform === 'win32') return;
  const descriptor = openSync(directory, constants.O_RDONLY);
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** One level at a time: `mkdirSync` of several never returns where the system allows no new folder, as under /proc. */
function make(path: string): void {
  if (isThere(path)) return;
  make(dirname(path));
  mkdirSync(path, { mode: DIRECTORY_MODE });
  syncDirectory(dirname(path));
}

function usable(directory: string): void {
  let problem = 'made';
  try {
    make(resolve(directory));
    problem = 'used';
    readdirSync(directory);
    accessSync(directory, constants.R_OK | constants.W_OK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new Error(
      `The data directory ${directory} can't be ${problem} (${code}). Set FAULTLINE_DATA to a directory that this user can create or write.`,
    );
  }
}

/** SQLite uses the mode of the database for the files that it makes beside it. */
function restrict(directory: string): void {
  for (const file of [DATABASE_FILE, LOCK_FILE]) closeSync(openSync(join(directory, file), 'a', OWNER_ONLY));
  for (const file of readdirSync(directory)) {
    const path = join(directory, file);
    if (!file.startsWith('faultline.')) continue;
    const { mode } = statSync(path);
    if ((mode & NOT_OWNER) !== 0) chmodSync(path, mode & ~NOT_OWNER);
  }
}

/**
 * Makes the directory when it is missing and protects its files from other users. Returns its mode when others may
 * replace files in it, else null. Throws a readable Error when it cannot be used.
 */
export function prepareDirectory(directory: string): number | null {
  usable(directory);
  restrict(directory);
  const mode = statSync(directory).mode & 0o777;
  return (mode & WRITABLE_BY_OTHERS) === 0 ? null : mode;
}
