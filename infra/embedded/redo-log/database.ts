import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { DATABASE_FILE, prepareDirectory } from '#infra/embedded/sqlite/data-directory.ts';
import { lockDirectory } from '#infra/embedded/sqlite/directory-lock.ts';
import { FIRST_LAYOUT, layoutOf, migrate, NEWEST_LAYOUT } from '#infra/embedded/sqlite/migrations.ts';
import { onlyRow } from '#infra/embedded/sqlite/rows.ts';
import { inTransaction } from '#infra/embedded/sqlite/transaction.ts';
import { type BatchListener, CommitQueue } from './commit-queue.ts';
import { connectReader, connectWriter, type RowReader, type RowWriter, readingOver } from './connections.ts';
import { assertNoRedoLog, type Damage, readRedoLog, removeRedoLog, setRedoLogAside } from './redo-log-file.ts';
import { damageOf, forgetDamage, identify, identityOf, lastAppliedOf, type RefusedChange, replay } from './replay.ts';
import { openWriter } from './writer.ts';

export const MEMORY = ':memory:';
/** Small: every commit of the writer makes the pages of this thread's connection old. */
const CACHE_KIB = 16_384;

/** The data directory on this thread: a connection for reading and for direct writes, and the queue to the writer. */
export interface Database extends RowReader, RowWriter {
  readonly db: DatabaseSync;
  /** Null when everything is in memory. */
  readonly path: string | null;
  /**
   * Submits all changes that `work` makes as one batch, which the writer soon applies to the file. Resolves when it
   * would survive a loss of power, with the duration, ms.
   */
  submit(work: () => void): Promise<number>;
  /** Adds a listener of submitted batches, so that this thread sees rows before they are in the file. */
  addListener<F extends BatchListener>(make: (isRecording: () => boolean) => F): F;
  /** True when all durable batches are in the file, where all connections read them. */
  readonly isApplied: boolean;
  /** Changes that are submitted and not in the file. */
  readonly unapplied: number;
  /** Resolves when all batches that are durable now are in the file; throws when the store fails. */
  applied(): Promise<void>;
  /**
   * Blocks until all submitted batches are in the file, 30 s at most; throws when one is not. For reads of the pipeline
   * that scan many rows.
   */
  waitApplied(): void;
  /**
   * All others fail after a failed batch until this resolves; then memory has to be read again. Rejects like `applied`.
   */
  resume(): Promise<void>;
  /** Runs `work`, which writes at once, when all batches submitted before are in the file, so that neither side waits for a lock. */
  exclusive<T>(work: () => T): Promise<T>;
  /** Runs `work` as one transaction of this thread; a throw rolls back. Within a transaction or `submit` it joins that. */
  transaction<T>(work: () => T): T;
  /** True within a transaction or `submit`. */
  readonly isWriting: boolean;
  /** `finish` runs at the end of every transaction and `submit`, within it; not when that fails. */
  beforeCommit(finish: () => void): void;
  /** `forget` runs after every rollback: a cache may have rows that were never written. */
  onRollback(forget: () => void): void;
  /** `told` runs when a batch is lost or durable ones cannot be applied: all batches fail until `resume`. */
  onFailure(told: (error: Error) => void): void;
  /** Empties all caches. To be called within `exclusive`, since rows of pending batches must not be forgotten. */
  forget(): void;
  /** Ends the writer after all submitted batches; to be called before `close`. */
  endWriter(): Promise<void>;
  close(): void;
}

const newer = (path: string, layout: number): Error =>
  new Error(
    `${path} was written by a newer version of Faultline (layout ${layout}; this version supports up to ${NEWEST_LAYOUT}). Start that version, or set FAULTLINE_DATA to another directory.`,
  );

const beforeFirst = (path: string, directory: string): Error =>
  new Error(
    `${path} was created by a version before 0.1.0, which this version can't read. Set FAULTLINE_DATA to an empty directory, or move ${directory} away.`,
  );

/** Checks before the first write, so that the file of a newer program or of one before 0.1.0, and files that do not belong together, stay unchanged. */
function assertReadable(directory: string, path: string): void {
  const db = connectReader(path, CACHE_KIB);
  try {
    const layout = layoutOf(db);
    if (layout > NEWEST_LAYOUT) throw newer(path, layout);
    if (layout > 0 && layout < FIRST_LAYOUT) throw beforeFirst(path, directory);
    const { statement } = readingOver(db);
    if (layout === 0) assertNoRedoLog(directory);
    else if (damageOf(statement) === null) readRedoLog(directory, identityOf(statement), lastAppliedOf(statement));
  } finally {
    db.close();
  }
}

/** Runs before migrations: the entries of a killed process fit the layout that the file has. */
function replayRedoLog(
  directory: string,
  path: string,
  { refused, damaged }: Pick<Opening, 'refused' | 'damaged'>,
): void {
  const db = connectWriter(path);
  try {
    if (layoutOf(db) !== 0) replayOver(db, directory, { refused, damaged });
  } finally {
    db.close();
  }
  removeRedoLog(directory);
}

/** Applies the redo log of a copied directory; throws when it does not belong to the database, or is damaged. */
export function settle(directory: string): void {
  const path = join(directory, DATABASE_FILE);
  assertReadable(directory, path);
  const damaged = ({ lost }: Damage): never => {
    throw new Error(`The redo log of the copy is damaged at batch ${lost}.`);
  };
  replayRedoLog(directory, path, { refused: () => {}, damaged });
}

/**
 * Damage is set aside in steps that a kill may separate: entries and a note with the new file names are committed; it
 * is reported; files are renamed; the note is deleted.
 */
function replayOver(
  db: DatabaseSync,
  directory: string,
  { refused, damaged }: Pick<Opening, 'refused' | 'damaged'>,
): void {
  const { statement } = readingOver(db);
  const all = replay(db, statement, directory);
  if (all.length > 0) refused(all);
  const damage = damageOf(statement);
  if (damage === null) return;
  const { lost, behind } = damage;
  setRedoLogAside(directory, damage, (files) => damaged({ lost, behind }, files));
  forgetDamage(statement);
}

function connect(path: string, prepare: Opening['prepareMemory'] = () => {}): DatabaseSync {
  const db = connectWriter(path, CACHE_KIB);
  try {
    prepare(db);
    migrate(db);
    identify(readingOver(db).statement);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

export type MakeWriter = typeof openWriter;

export interface Opening {
  readonly makeWriter: MakeWriter;
  readonly refused: (all: readonly RefusedChange[]) => void;
  /** Receives the damage of the journal and the names of its saved files. */
  readonly damaged: (damage: Damage, files: readonly string[]) => void;
  /** Receives the time that this thread was blocked until batches were in the file, ms. */
  readonly waited: (ms: number) => void;
  /** Receives the mode of the directory when other users may replace its files. */
  readonly isShared: (mode: number) => void;
  /** Receives a database in memory before its layout is brought up to date. */
  readonly prepareMemory: (db: DatabaseSync) => void;
}

function databaseOver(
  db: DatabaseSync,
  path: string | null,
  { makeWriter, refused, waited }: Opening,
  release: () => void,
): Database {
  const forgetters: (() => void)[] = [];
  const forget = (): void => {
    for (const each of forgetters) each();
  };
  const reading = readingOver(db);
  const numbers = new Map<string, number>();
  const finishers: (() => void)[] = [];
  const finished = <T>(work: () => T): T => {
    const done = work();
    for (const finish of finishers) finish();
    return done;
  };
  const transaction = <T>(work: () => T): T => {
    if (db.isTransaction || queue.isRecording) return work();
    queue.drain();
    try {
      return inTransaction(db, () => finished(work));
    } catch (error) {
      forget();
      throw error;
    }
  };
  const here = { statement: reading.statement, transaction: (work: () => void) => inTransaction(db, work) };
  const listeners: ((error: Error) => void)[] = [];
  const failed = (error: Error): void => {
    for (const told of listeners) told(error);
  };
  const told = { forget, refused, failed, waited };
  const queue: CommitQueue = new CommitQueue((events) => makeWriter(path, here, events), told);
  return {
    db,
    path,
    ...reading,
    write(text, ...values) {
      if (queue.record(text, values)) return 1;
      if (!db.isTransaction) queue.drain();
      return Number(reading.statement(text).run(...values).changes);
    },
    next(table, column) {
      const known =
        numbers.get(table) ?? onlyRow(reading.arrays<[number | null]>(`SELECT max(${column}) FROM ${table}`).get())[0];
      const next = (known ?? 0) + 1;
      numbers.set(table, next);
      return next;
    },
    submit: (work) => queue.submit(() => finished(work)),
    addListener: (make) => queue.addListener(make),
    get isApplied() {
      return queue.isApplied;
    },
    get unapplied() {
      return queue.unapplied;
    },
    applied: () => queue.applied(),
    waitApplied: () => queue.waitApplied(),
    resume: () => queue.resume(),
    exclusive: (work) => queue.exclusive(work),
    transaction,
    get isWriting() {
      return db.isTransaction || queue.isRecording;
    },
    beforeCommit: (finish) => finishers.push(finish),
    onRollback: (each) => forgetters.push(each),
    onFailure: (told) => listeners.push(told),
    forget,
    endWriter: () => queue.close(),
    close() {
      if (db.isOpen) db.close();
      release();
    },
  };
}

/** SQLite errors lack the name of the file that it could not open or read. */
const named = (error: Error, path: string): Error => {
  if ((error as NodeJS.ErrnoException).code === 'ERR_SQLITE_ERROR') error.message = `${path}: ${error.message}`;
  return error;
};

/**
 * Opens `faultline.db` in the directory, which is made when it is missing, or a database in memory.
 * Refuses a directory that is open elsewhere and a file of a newer program or of one before 0.1.0.
 */
export function openDatabase(directory: string, options: Partial<Opening> = {}): Database {
  const opening: Opening = {
    makeWriter: openWriter,
    refused: () => {},
    damaged: () => {},
    waited: () => {},
    isShared: () => {},
    prepareMemory: () => {},
    ...options,
  };
  if (directory === MEMORY) return databaseOver(connect(MEMORY, opening.prepareMemory), null, opening, () => {});
  const shared = prepareDirectory(directory);
  if (shared !== null) opening.isShared(shared);
  const release = lockDirectory(directory);
  const path = join(directory, DATABASE_FILE);
  try {
    assertReadable(directory, path);
    replayRedoLog(directory, path, opening);
    return databaseOver(connect(path), path, opening, release);
  } catch (error) {
    release();
    throw named(error as Error, path);
  }
}
