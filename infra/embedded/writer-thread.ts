import { dirname } from 'node:path';
import { type MessagePort, workerData } from 'node:worker_threads';
import { connectWriter, readingOver } from './database.ts';
import { carryOutPacked, catchUp, mark, markOf } from './redo.ts';
import { type Entry, openRedoLog, removeRedoLog } from './redo-log.ts';
import { type SendableError, sendableError } from './storage-failure.ts';
import type { FromWriter, ToWriter } from './writer-messages.ts';

/** How long writes wait for others whose rows are on the same pages. */
const COMMIT_MS = 250;
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

/** Carried out in the open transaction, and in the log. */
let entries: Entry[] = [];
let bytes = 0;
/** Of a write of this era; all later ones of the era were made from memory that is ahead of what is kept. */
let failure: { readonly era: number; readonly error: SendableError } | null = null;
/** The open transaction is lost; its entries are to be carried out again. */
let isLost = false;
let timer: { readonly handle: NodeJS.Timeout; readonly at: number } | null = null;
let committedAt = 0;

function begin(): void {
  if (!db.isTransaction) db.exec('BEGIN IMMEDIATE');
}

function rollback(): void {
  if (db.isTransaction) db.exec('ROLLBACK');
  isLost = entries.length > 0;
}

/** Carries out again what was lost with a transaction. Throws when the store fails. */
function recover(): void {
  if (!isLost) return;
  begin();
  for (const { content } of entries) carryOutPacked(statement, content);
  isLost = false;
}

function keep(content: Uint8Array): void {
  recover();
  begin();
  carryOutPacked(statement, content);
  entries.push({ number: log.append(content), content });
  bytes += content.length;
}

function write({ era, content }: Extract<ToWriter, { kind: 'write' }>): SendableError | null {
  if (failure?.era === era) return failure.error;
  try {
    keep(content);
    return null;
  } catch (error) {
    failure = { era, error: sendableError(error) };
    undo();
    return failure.error;
  }
}

/** Leaves the transaction as it was before the last write; when that does not succeed, the next commit tries it again. */
function undo(): void {
  try {
    rollback();
    recover();
  } catch {
    isLost = entries.length > 0;
  }
}

function commit(): void {
  if (timer !== null) clearTimeout(timer.handle);
  timer = null;
  if (entries.length === 0) return;
  try {
    recover();
    mark(statement, entries.at(-1)!.number);
    db.exec('COMMIT');
  } catch (error) {
    undoCommit();
    return tell({ kind: 'failed', error: sendableError(error) });
  }
  committedAt = performance.now();
  log.restart();
  const count = entries.length;
  entries = [];
  bytes = 0;
  tell({ kind: 'applied', count });
}

function undoCommit(): void {
  try {
    rollback();
  } catch {
    isLost = true;
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
  db.close();
  log.close();
  if (entries.length === 0) removeRedoLog(dirname(path));
  port.close();
}

port.on('message', (message: ToWriter) => {
  if (message.kind === 'end') end();
  else if (message.kind === 'commit') commitWithin(Math.max(0, committedAt + PAUSE_MS - performance.now()));
  else {
    tell({ kind: 'kept', error: write(message) });
    if (entries.length > 0) commitWithin(bytes >= COMMIT_BYTES ? 0 : COMMIT_MS);
  }
});
