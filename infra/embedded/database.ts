import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { lockDirectory } from './directory-lock.ts';
import { layoutOf, MIGRATIONS, migrate } from './migrations.ts';

export const MEMORY = ':memory:';
const FILE = 'faultline.db';
/**
 * Pages in the write-ahead log after which a commit copies it into the file. The same pages are written again and again, so
 * more between two copies is less work in all; the copying commit itself gets slower.
 */
const CHECKPOINT_PAGES = 8_000;
const CACHE_KIB = 65_536;
const WAL_LIMIT_BYTES = 64 * 1024 * 1024;
const BUSY_MS = 5_000;

/** What a query needs: prepared statements, kept by their text. */
export interface Reading {
  statement(sql: string): StatementSync;
  /** The same, with rows as arrays of columns. */
  arrays(sql: string): StatementSync;
}

/** The one writing connection of a data directory. */
export interface Database extends Reading {
  readonly db: DatabaseSync;
  /** Null when everything is in memory. */
  readonly path: string | null;
  /** Runs `work` as one transaction; a throw rolls back. Within a transaction it joins it. */
  transaction<T>(work: () => T): T;
  /** `forget` runs after every rollback: what a cache remembers may never have been written. */
  onRollback(forget: () => void): void;
  close(): void;
}

const configure = (db: DatabaseSync): void => {
  db.exec(`PRAGMA page_size = 4096; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
    PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}; PRAGMA journal_size_limit = ${WAL_LIMIT_BYTES};
    PRAGMA cache_size = -${CACHE_KIB};`);
};

/** Looks before anything is written, so that the file of a newer program stays as it is. */
function refuseNewer(path: string): void {
  if (!existsSync(path)) return;
  const db = new DatabaseSync(path, { readOnly: true, timeout: BUSY_MS });
  const layout = layoutOf(db);
  db.close();
  if (layout > MIGRATIONS.length)
    throw new Error(
      `${path} was written by a newer version of Faultline (layout ${layout}, this one knows ${MIGRATIONS.length}). Start that version, or name another data directory.`,
    );
}

function connect(path: string): DatabaseSync {
  const db = new DatabaseSync(path, { enableForeignKeyConstraints: false, timeout: BUSY_MS });
  try {
    configure(db);
    migrate(db);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Texts kept prepared; filters make many, so the oldest go. */
const MAX_STATEMENTS = 500;

export function readingOver(db: DatabaseSync): Reading {
  const kept = (returnArrays: boolean) => {
    const known = new Map<string, StatementSync>();
    return (sql: string): StatementSync => {
      let statement = known.get(sql);
      if (statement === undefined) {
        statement = db.prepare(sql, { returnArrays });
        if (known.size >= MAX_STATEMENTS) known.delete(known.keys().next().value as string);
        known.set(sql, statement);
      }
      return statement;
    };
  };
  return { statement: kept(false), arrays: kept(true) };
}

function databaseOver(db: DatabaseSync, path: string | null, release: () => void): Database {
  const forgetters: (() => void)[] = [];
  const rollback = (): void => {
    if (db.isTransaction) db.exec('ROLLBACK');
    for (const forget of forgetters) forget();
  };
  return {
    db,
    path,
    ...readingOver(db),
    transaction(work) {
      if (db.isTransaction) return work();
      db.exec('BEGIN IMMEDIATE');
      try {
        const result = work();
        db.exec('COMMIT');
        return result;
      } catch (error) {
        rollback();
        throw error;
      }
    },
    onRollback: (forget) => forgetters.push(forget),
    close() {
      if (db.isOpen) db.close();
      release();
    },
  };
}

/**
 * Opens `faultline.db` in the directory, which is made when it is missing, or a database in memory.
 * Refuses a directory that is open elsewhere and a file of a newer program.
 */
export function openDatabase(directory: string): Database {
  if (directory === MEMORY) return databaseOver(connect(MEMORY), null, () => {});
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const release = lockDirectory(directory);
  try {
    const path = join(directory, FILE);
    refuseNewer(path);
    return databaseOver(connect(path), path, release);
  } catch (error) {
    release();
    throw error;
  }
}
