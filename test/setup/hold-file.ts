import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** Returns true if the transaction is open; another one may be open for a while. */
const begins = (other: DatabaseSync): boolean => {
  try {
    other.exec('BEGIN IMMEDIATE');
    return true;
  } catch {
    return false;
  }
};

/**
 * Blocks all other writes until closed, like a backup that holds the file. Jobs continue meanwhile, so that none is due
 * at once afterwards.
 */
export const holdFile = async (directory: string): Promise<() => void> => {
  const other = new DatabaseSync(join(directory, 'faultline.db'), { timeout: 10 });
  const deadline = performance.now() + 15_000;
  while (!begins(other)) {
    if (performance.now() > deadline) throw new Error('the file is never free');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return () => {
    other.exec('ROLLBACK');
    other.close();
  };
};
