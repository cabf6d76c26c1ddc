import { dirname } from 'node:path';
import { MessageChannel, type MessagePort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { type SendableError, sendableError } from '#infra/embedded/sqlite/errors.ts';
import { startThread } from '#infra/embedded/sqlite/start-thread.ts';
import { openRedoLog, type RedoLog, removeRedoLog } from './journal-file.ts';
import type { FromApplier, FromKeeper, ToApplier, ToKeeper } from './messages.ts';

const { path, port, answered } = workerData as { path: string; port: MessagePort; answered: Int32Array };

function wake(): void {
  Atomics.add(answered, 0, 1);
  Atomics.notify(answered, 0);
}

function tell(message: FromKeeper): void {
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
// Neither is of use without the other.
worker.on('error', (error) => {
  throw error;
});
worker.on('exit', (code) => {
  if (code !== 0) throw new Error('the thread that writes to the database has ended');
});

/** Of a write of this era; all later ones of the era were made from memory that is ahead of what is kept. */
let failure: { readonly era: number; readonly error: SendableError } | null = null;

type Write = Extract<ToKeeper, { kind: 'write' }>;

/** All that has come with it shares one write to the disk. */
function keep(log: RedoLog, writes: readonly Write[]): void {
  const contents = writes.map(({ content }) => content);
  const error = attempt(log, writes[0]!.era, contents);
  tell({ kind: 'kept', count: writes.length, error });
}

function attempt(log: RedoLog, era: number, contents: readonly Uint8Array<ArrayBuffer>[]): SendableError | null {
  if (failure?.era === era) return failure.error;
  try {
    const first = log.append(contents);
    const entries = contents.map((content, index) => ({ number: first + index, content }));
    const transferList = [...new Set(contents.map(({ buffer }) => buffer))];
    applier.postMessage({ kind: 'apply', entries } satisfies ToApplier, transferList);
    return null;
  } catch (error) {
    failure = { era, error: sendableError(error) };
    return failure.error;
  }
}

/** The message and all that wait behind it. */
function* waiting(message: ToKeeper): Generator<ToKeeper> {
  yield message;
  for (let next = receiveMessageOnPort(port); next !== undefined; next = receiveMessageOnPort(port))
    yield next.message as ToKeeper;
}

function take(log: RedoLog, message: ToKeeper): void {
  let writes: Write[] = [];
  const keepAll = (): void => {
    if (writes.length > 0) keep(log, writes);
    writes = [];
  };
  for (const each of waiting(message)) {
    if (each.kind !== 'write' || writes[0]?.era !== each.era) keepAll();
    if (each.kind === 'write') writes.push(each);
    else applier.postMessage(each satisfies ToApplier);
  }
  keepAll();
}

function end(log: RedoLog | null, isDone: boolean): void {
  log?.close();
  if (isDone) removeRedoLog(dirname(path));
  port.close();
  applier.close();
}

let log: RedoLog | null = null;

applier.on('message', (message: FromApplier) => {
  if (message.kind === 'ended') return end(log, message.isDone);
  if (message.kind === 'ready') {
    const opened = openRedoLog(dirname(path), message.identity, message.last);
    log = opened;
    tell({ kind: 'ready' });
    port.on('message', (asked: ToKeeper) => take(opened, asked));
    return;
  }
  if (message.kind === 'applied') log?.release(message.through);
  tell(message);
});
