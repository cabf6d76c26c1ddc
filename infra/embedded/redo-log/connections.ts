import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { Lru } from '#domain/lru.ts';
import type { Prepare, Statement } from '#infra/embedded/sqlite/rows.ts';
import { letInterrupt } from './interrupt.ts';

/** Pages in the write-ahead log after which a commit copies them into the file itself, and holds up its thread: only when no checkpoint was made in time. */
export const MAX_LOG_PAGES = 64_000;
const WRITER_CACHE_KIB = 65_536;
const WAL_LIMIT_BYTES = 64 * 1024 * 1024;
const BUSY_MS = 5_000;

/** Prepared statements, cached by their text; the caller declares the type of their rows. */
export interface RowReader {
  readonly statement: Prepare;
  /** The same, with rows as arrays of columns. */
  arrays<R extends readonly unknown[] = readonly unknown[]>(sql: string): Statement<R>;
}

/** Changes rows; returns how many, or 1 when the change is only recorded. */
export type Write = (text: string, ...values: SQLInputValue[]) => number;

/** A connection that also changes rows. */
export interface RowWriter {
  /** Records the change within `submit`, otherwise makes it at once. */
  readonly write: Write;
  /** A number for a new row: one above the highest of the column; never given twice. */
  next(table: string, column: string): number;
}

const configure = (db: DatabaseSync, cacheKib: number): void => {
  db.exec(`PRAGMA page_size = 4096; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
    PRAGMA wal_autocheckpoint = ${MAX_LOG_PAGES}; PRAGMA journal_size_limit = ${WAL_LIMIT_BYTES};
    PRAGMA cache_size = -${cacheKib};`);
};

/** A connection for the writer's thread, to a file that is open in this process. */
export function connectWriter(path: string, cacheKib = WRITER_CACHE_KIB): DatabaseSync {
  const db = new DatabaseSync(path, { enableForeignKeyConstraints: false, timeout: BUSY_MS });
  configure(db, cacheKib);
  letInterrupt(db, () => {});
  return db;
}

/** A connection that only reads, for any thread. */
export function connectReader(path: string, cacheKib: number): DatabaseSync {
  const db = new DatabaseSync(path, { readOnly: true, timeout: BUSY_MS });
  db.exec(`PRAGMA cache_size = -${cacheKib}`);
  return db;
}

/** Prepared statements in the cache; filters produce many texts, so those used least lately are evicted. */
const MAX_STATEMENTS = 500;

export function readingOver(db: DatabaseSync): RowReader {
  const cached = (returnArrays: boolean) => {
    const known = new Lru<string, StatementSync>(MAX_STATEMENTS);
    return <R>(sql: string): Statement<R> => {
      let statement = known.get(sql);
      if (statement === undefined) {
        statement = db.prepare(sql);
        // Node 22 ignores it as an option.
        statement.setReturnArrays(returnArrays);
        known.set(sql, statement);
      }
      // The one place where rows of SQLite get their type.
      return statement as unknown as Statement<R>;
    };
  };
  return { statement: cached(false), arrays: cached(true) };
}

const refuse = (): never => {
  throw new Error('This connection is read-only');
};
/** Returns the write operations of a connection; a read-only one refuses. */
export const writingOver = (rows: RowReader): Write =>
  'write' in rows ? (rows as RowReader & RowWriter).write : refuse;
export const nextOver = (rows: RowReader, ...column: Parameters<RowWriter['next']>): number =>
  'next' in rows ? (rows as RowReader & RowWriter).next(...column) : refuse();
