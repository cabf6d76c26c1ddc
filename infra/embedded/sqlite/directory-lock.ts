import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { primaryCode, SQLITE_BUSY } from './errors.ts';

const inUse = (directory: string): Error =>
  new Error(
    `The data directory ${directory} is in use by another Faultline process. Stop that process, or set FAULTLINE_DATA to another directory.`,
  );

/**
 * Holds an exclusive SQLite lock on `faultline.lock` until the returned function is called. The operating system drops it with the
 * process. Keep the function: the garbage collector closes a lock that nothing refers to.
 */
export function lockDirectory(directory: string): () => void {
  const lock = new DatabaseSync(join(directory, 'faultline.lock'), { timeout: 0 });
  try {
    lock.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    throw primaryCode(error) === SQLITE_BUSY ? inUse(directory) : error;
  }
  return () => {
    if (lock.isOpen) lock.close();
  };
}
