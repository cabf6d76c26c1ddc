/** Shared by all changes of the topology: first the file, in one transaction, then memory. */

import type { RecordTable } from '#infra/embedded/records/table.ts';
import type { Database } from '#infra/embedded/redo-log/database.ts';

/** The targets of changes of the topology. */
export interface TopologyFile {
  readonly database: Database;
  /** Table for records that are part of a change, in its transaction. */
  readonly records: Pick<RecordTable, 'add'>;
}

/** Placeholders for a list of columns. */
export const marks = (columns: string): string =>
  columns
    .split(', ')
    .map(() => '?')
    .join(', ');

/**
 * Result code of a broken uniqueness. Not detected by `instanceof Error`: errors of native code belong to no realm of a
 * test.
 */
const SQLITE_CONSTRAINT = 19;
export const isTaken = (error: unknown): boolean =>
  typeof error === 'object' &&
  error !== null &&
  'errcode' in error &&
  (Number(error.errcode) & 0xff) === SQLITE_CONSTRAINT;

/** Memory applies a change when its own transaction is committed, so it cannot be part of another. */
export function commit<T>(database: Database, work: () => T): T {
  if (database.db.isTransaction) throw new Error('A change of the topology cannot be part of another transaction');
  return database.transaction(work);
}
