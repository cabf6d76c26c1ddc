import { dirname } from 'node:path';
import { type MessagePort, workerData } from 'node:worker_threads';
import { Checkpoints } from './checkpoints.ts';
import { connectWriter, readingOver } from './database.ts';
import { OpenEntries } from './open-entries.ts';
import { catchUp, markOf } from './redo.ts';
import { openRedoLog, removeRedoLog } from './redo-log.ts';
import { type SendableError, sendableError } from './storage-failure.ts';
import type { FromWriter, ToWriter } from './writer-messages.ts';

/** How long writes wait for others whose rows are on the same pages. */
const COMMIT_MS = 500;
/** Waiting for as many bytes is long enough. */
const COMMIT_BYTES = 4 * 1024 * 1024;
/** However often readers ask: the time between two commits. */
const PAUSE_MS = 10;

const { path, port, answered } = workerData as { path: string; port: MessagePort; answered: Int32Array };

function tell(message: FromWriter): void {
  port.postMessage(message);
  Atomics.add(answered, 0, 1);
  Atomics.notify(answered, 0);
}

process.on('exit', () => {
  Atomics.store(answered, 1, 1);
  Atomics.add(answered, 0, 1);
  Atomics.notify(answered, 0);
});

const db = connectWriter(path);
const { statement } = readingOver(db);
const refused = catchUp(db, statement, dirname(path));
if (refused.length > 0) tell({ kind: 'refused', all: refused });
const log = openRedoLog(dirname(path), markOf(statement));
tell({ kind: 'ready' });

const open = new OpenEntries(db, statement, log);
db.exec('PRAGMA wal_autocheckpoint = 0');
const checkpoints = new Checkpoints(db, path);
/** Of a write of this era; all later ones of the era were made from memory that is ahead of what is kept. */
let failure: { readonly era: number; readonly error: SendableError } | null = null;
let timer: { readonly handle: NodeJS.Timeout; readonly at: number } | null = null;
let committedAt = 0;

function write({ era, content }: Extract<ToWriter, { kind: 'write' }>): SendableError | null {
  if (failure?.era === era) return failure.error;
  try {
    open.keep(content);
    return null;
  } catch (error) {
    failure = { era, error: sendableError(error) };
    return failure.error;
  }
}

function commit(): void {
  if (timer !== null) clearTimeout(timer.handle);
  timer = null;
  if (open.count === 0) return;
  try {
    tell({ kind: 'applied', count: open.commit() });
    committedAt = performance.now();
    checkpoints.committed();
  } catch (error) {
    tell({ kind: 'failed', error: sendableError(error) });
  }
}

function commitWithin(ms: number): void {
  const at = performance.now() + ms;
  if (timer !== null && timer.at <= at) return;
  if (timer !== null) clearTimeout(timer.handle);
  timer = { handle: setTimeout(commit, ms), at };
}

function end(): void {
  commit();
  if (db.isTransaction) db.exec('ROLLBACK');
  checkpoints.close();
  db.close();
  log.close();
  if (open.count === 0) removeRedoLog(dirname(path));
  port.close();
}

port.on('message', (message: ToWriter) => {
  if (message.kind === 'end') end();
  else if (message.kind === 'commit') commitWithin(Math.max(0, committedAt + PAUSE_MS - performance.now()));
  else {
    tell({ kind: 'kept', error: write(message) });
    if (open.count > 0) commitWithin(open.bytes >= COMMIT_BYTES ? 0 : COMMIT_MS);
  }
});
