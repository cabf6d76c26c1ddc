import { dirname } from 'node:path';
import { type MessagePort, workerData } from 'node:worker_threads';
import { assertDefined } from '#domain/assert.ts';
import { sendableError } from '#infra/embedded/sqlite/errors.ts';
import { letOthersGoFirst } from '#infra/thread-priority.ts';
import { Checkpoints } from './checkpoints.ts';
import { connectWriter, readingOver } from './connections.ts';
import type { FromApplier, ToApplier } from './messages.ts';
import { OpenTransaction } from './open-transaction.ts';
import { identityOf, lastAppliedOf, replay } from './replay.ts';

/**
 * Maximum time between executing and committing an entry, unless a commit is requested: rows of many entries share
 * pages.
 */
const COMMIT_MS = 2_000;
/** Entries of this size together are committed at once. */
const COMMIT_BYTES = 16 * 1024 * 1024;
/** Shortest time between two commits. */
const PAUSE_MS = 10;

const { path, port } = workerData as { path: string; port: MessagePort };

function tell(message: FromApplier): void {
  port.postMessage(message);
}

const db = connectWriter(path);
const { statement } = readingOver(db);
const refused = replay(db, statement, dirname(path), ({ lost }) => {
  // The memory of the process is ahead of the journal: only a restart helps.
  throw new Error(`the redo log is damaged at batch ${lost}: restart the server`);
});
if (refused.length > 0) tell({ kind: 'refused', all: refused });
// The thread that opened the file set the identity of the database.
tell({
  kind: 'ready',
  identity: assertDefined(identityOf(statement), 'identity of the database'),
  last: lastAppliedOf(statement),
});
// Not before the replay: the server accepts nothing until it is done.
letOthersGoFirst();

const open = new OpenTransaction(db, statement);
// It looks itself, after each commit.
db.exec('PRAGMA wal_autocheckpoint = 0');
const checkpoints = new Checkpoints(db, path);
let timer: { readonly handle: NodeJS.Timeout; readonly at: number } | null = null;
let committedAt = 0;

function attempt(work: () => void): void {
  try {
    work();
  } catch (error) {
    tell({ kind: 'failed', error: sendableError(error) });
  }
}

function commit(): void {
  if (timer !== null) clearTimeout(timer.handle);
  timer = null;
  attempt(() => {
    const committed = open.commit();
    if (committed !== null) {
      const { last, through, refused: all } = committed;
      if (all.length > 0) tell({ kind: 'refused', all });
      tell({ kind: 'applied', last, through });
    }
    committedAt = performance.now();
    checkpoints.committed();
  });
}

function commitWithin(ms: number): void {
  const at = performance.now() + ms;
  if (timer !== null && timer.at <= at) return;
  if (timer !== null) clearTimeout(timer.handle);
  timer = { handle: setTimeout(commit, ms), at };
}

function end(): void {
  commit();
  checkpoints.close();
  db.close();
  tell({ kind: 'ended', isDone: open.count === 0 });
  port.close();
}

port.on('message', (message: ToApplier) => {
  if (message.kind === 'end') end();
  else if (message.kind === 'commit') commitWithin(Math.max(0, committedAt + PAUSE_MS - performance.now()));
  else {
    attempt(() => open.take(message.entries));
    if (!open.hasFailed) commitWithin(open.bytes >= COMMIT_BYTES ? 0 : COMMIT_MS);
  }
});
