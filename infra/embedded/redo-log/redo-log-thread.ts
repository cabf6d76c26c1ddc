import { dirname } from 'node:path';
import { MessageChannel, type MessagePort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { lastItem } from '#domain/assert.ts';
import { type SendableError, sendableError } from '#infra/embedded/sqlite/errors.ts';
import { startThread } from '#infra/start-thread.ts';
import type { FromApplier, FromRedoLog, ToApplier, ToRedoLog } from './messages.ts';
import { openRedoLogFile, type RedoLogFile, removeRedoLog } from './redo-log-file.ts';

const { path, port, answered } = workerData as { path: string; port: MessagePort; answered: Int32Array };

function wake(): void {
  Atomics.add(answered, 0, 1);
  Atomics.notify(answered, 0);
}

function tell(message: FromRedoLog): void {
  port.postMessage(message);
  wake();
}

process.on('exit', () => {
  Atomics.store(answered, 1, 1);
  wake();
});

const { port1: applier, port2 } = new MessageChannel();
const worker = startThread(new URL('./apply-thread.ts', import.meta.url), {
  workerData: { path, port: port2 },
  transferList: [port2],
});
// Neither thread is of use without the other.
worker.on('error', (error) => {
  throw error;
});
worker.on('exit', (code) => {
  if (code !== 0) throw new Error('the thread that writes to the database has ended');
});

/** Failure of a batch: all later ones were made from memory that is ahead of the journal, until `resume`. */
let failure: SendableError | null = null;

type Write = Extract<ToRedoLog, { kind: 'write' }>;

/** All queued batches share one write to the disk. */
function append(log: RedoLogFile, writes: readonly Write[]): void {
  const through = lastItem(writes).batch;
  failure ??= attempt(log, writes);
  tell(failure === null ? { kind: 'durable', through } : { kind: 'lost', through, error: failure });
}

function attempt(log: RedoLogFile, writes: readonly Write[]): SendableError | null {
  try {
    const first = log.append(writes.map(({ content }) => content));
    const entries = writes.map(({ batch, content }, index) => ({ number: first + index, batch, content }));
    const transferList = [...new Set(writes.map(({ content }) => content.buffer))];
    applier.postMessage({ kind: 'apply', entries } satisfies ToApplier, transferList);
    return null;
  } catch (error) {
    return sendableError(error);
  }
}

/** The message and all queued ones. */
function* waiting(message: ToRedoLog): Generator<ToRedoLog> {
  yield message;
  for (let next = receiveMessageOnPort(port); next !== undefined; next = receiveMessageOnPort(port))
    yield next.message as ToRedoLog;
}

function take(log: RedoLogFile, message: ToRedoLog): void {
  let writes: Write[] = [];
  const appendAll = (): void => {
    if (writes.length > 0) append(log, writes);
    writes = [];
  };
  for (const each of waiting(message)) {
    if (each.kind === 'write') writes.push(each);
    else {
      appendAll();
      if (each.kind === 'resume') failure = null;
      else applier.postMessage(each satisfies ToApplier);
    }
  }
  appendAll();
}

function end(log: RedoLogFile | null, isDone: boolean): void {
  log?.close();
  if (isDone) removeRedoLog(dirname(path));
  port.close();
  applier.close();
}

let log: RedoLogFile | null = null;

applier.on('message', (message: FromApplier) => {
  if (message.kind === 'ended') return end(log, message.isDone);
  if (message.kind === 'ready') {
    const opened = openRedoLogFile(dirname(path), message.identity, message.last);
    log = opened;
    tell({ kind: 'ready' });
    port.on('message', (asked: ToRedoLog) => take(opened, asked));
    return;
  }
  if (message.kind === 'applied') {
    log?.release(message.last);
    tell({ kind: 'applied', through: message.through });
  } else tell(message);
});
