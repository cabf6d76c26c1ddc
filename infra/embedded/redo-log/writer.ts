import { serialize } from 'node:v8';
import { MessageChannel, type MessagePort, receiveMessageOnPort, type Worker } from 'node:worker_threads';
import { asError, StorageFailure, sendableError } from '#infra/embedded/sqlite/errors.ts';
import type { Prepare } from '#infra/embedded/sqlite/rows.ts';
import { startThread } from '#infra/start-thread.ts';
import type { FromRedoLog, ToRedoLog } from './messages.ts';
import type { RefusedChange } from './replay.ts';
import { execute, type RowChanges } from './statements.ts';

/** Packs changes in the format of the journal; `replay.ts` reads them. */
export const packChanges = (changes: RowChanges): Uint8Array<ArrayBuffer> => serialize(changes);

/** Makes batches durable and applies them in order, several in one transaction. A batch is known by its number. */
export interface Writer {
  /** All others are lost after a lost batch until `resume`: they were made from memory that is ahead of the journal. */
  write(batch: number, changes: RowChanges): void;
  /** Commits durable batches without the usual delay. */
  applyNow(): void;
  /** Rows were written beside it: it sees to the write-ahead log, which they have made longer. */
  wroteBeside(): void;
  /** Blocks until all batches are applied, or the store fails. */
  waitApplied(): void;
  /** Starts the threads, so that the first batch need not wait; accepts batches again after a failure. */
  resume(): void;
  /** Applies all accepted batches, unless the store fails; later ones are lost. */
  close(): Promise<void>;
}

/** Results of batches. */
export interface WriterEvents {
  /** It survives a loss of power. In the order of numbers. */
  batchDurable(batch: number): void;
  /** It was not acknowledged. Nothing applies it in this process; the next start may still find it in the journal. */
  batchLost(batch: number, error: Error): void;
  /** It is in the database, where all connections read it. In the order of numbers, and only after `batchDurable`. */
  batchApplied(batch: number): void;
  /** Durable batches cannot be applied; others are lost until `resume`, which tries again. */
  storeFailed(error: Error): void;
  /** Durable changes that the database does not accept. */
  changesRefused(all: readonly RefusedChange[]): void;
}

/** The connection of this thread. */
interface Connection {
  readonly statement: Prepare;
  transaction(work: () => void): void;
}

/** One wait for an answer of the thread, and the whole wait. */
const LOOK_MS = 1_000;
const WAIT_MS = 30_000;

interface Thread {
  readonly worker: Worker;
  readonly port: MessagePort;
  /** The number of answers; the second element is 1 when the thread has ended. */
  readonly answered: Int32Array;
}

/**
 * Sends changes to the journal thread, which makes them durable and has another thread apply them in transactions that stay open for many
 * of them. Started when it is needed, and again when one of the two has died.
 */
class ThreadWriter implements Writer {
  readonly #path: string;
  readonly #events: WriterEvents;
  #thread: Thread | null = null;
  /** Batches that are not durable yet, and batches that are durable but not applied; each oldest first. */
  #written: number[] = [];
  #durable: number[] = [];
  #failure: Error | null = null;
  /** The newest batch that a `commit` message covers already. */
  #requested = 0;
  /** Another process may open the journal after the close, so no thread may start again. */
  #isClosed = false;

  constructor(path: string, events: WriterEvents) {
    this.#path = path;
    this.#events = events;
  }

  write(batch: number, changes: RowChanges): void {
    const failure = this.#isClosed ? new StorageFailure('the writer is closed') : this.#failure;
    if (failure !== null) {
      queueMicrotask(() => this.#events.batchLost(batch, failure));
      return;
    }
    this.#thread ??= this.#start();
    this.#written.push(batch);
    this.#thread.port.ref();
    const content = packChanges(changes);
    this.#post({ kind: 'write', batch, content }, [content.buffer]);
  }

  applyNow(): void {
    const newest = this.#durable.at(-1) ?? 0;
    if (newest <= this.#requested || this.#thread === null) return;
    this.#requested = newest;
    this.#post({ kind: 'commit' });
  }

  wroteBeside(): void {
    this.#post({ kind: 'commit' });
  }

  waitApplied(): void {
    const end = performance.now() + WAIT_MS;
    while (this.#thread !== null && this.#isBusy) {
      this.applyNow();
      this.#awaitAnswer(this.#thread, end);
    }
  }

  resume(): void {
    if (this.#isClosed) return;
    this.#failure = null;
    this.#requested = 0;
    this.#thread ??= this.#start();
    this.#post({ kind: 'resume' });
    this.applyNow();
  }

  async close(): Promise<void> {
    this.waitApplied();
    this.#isClosed = true;
    const thread = this.#thread;
    if (thread === null) return;
    const ended = new Promise((resolve) => thread.worker.once('exit', resolve));
    this.#post({ kind: 'end' });
    thread.worker.ref();
    await ended;
  }

  /** Durable batches stay in the journal while the store fails. */
  get #isBusy(): boolean {
    return this.#written.length > 0 || (this.#durable.length > 0 && this.#failure === null);
  }

  #post(message: ToRedoLog, transferred: readonly ArrayBuffer[] = []): void {
    this.#thread?.port.postMessage(message, transferred);
  }

  #start(): Thread {
    const { port1: port, port2 } = new MessageChannel();
    const answered = new Int32Array(new SharedArrayBuffer(8));
    const worker = startThread(new URL('./redo-log-thread.ts', import.meta.url), {
      workerData: { path: this.#path, port: port2, answered },
      transferList: [port2],
    });
    const thread = { worker, port, answered };
    worker.unref();
    port.on('message', (message: FromRedoLog) => this.#receive(message));
    port.unref();
    worker.on('error', (error) => this.#lose(thread, error.message));
    worker.on('exit', () => this.#lose(thread, 'the writer stopped'));
    return thread;
  }

  /** Receives one answer, or waits for one. */
  #awaitAnswer(thread: Thread, end: number): void {
    const before = Atomics.load(thread.answered, 0);
    if (this.#receiveNow(thread)) return;
    if (Atomics.load(thread.answered, 1) === 1) this.#lose(thread, 'the writer stopped');
    else Atomics.wait(thread.answered, 0, before, LOOK_MS);
    if (performance.now() > end) throw new StorageFailure("the writer isn't responding");
  }

  /** Receives an answer that has arrived; false when there is none. */
  #receiveNow({ port }: Thread): boolean {
    const received = receiveMessageOnPort(port);
    if (received !== undefined) this.#receive(received.message as FromRedoLog);
    return received !== undefined;
  }

  #receive(message: FromRedoLog): void {
    if (message.kind === 'durable') this.#becameDurable(message.through);
    else if (message.kind === 'lost') this.#loseBatches(message.through, asError(message.error));
    else if (message.kind === 'applied') this.#becameApplied(message.through);
    else if (message.kind === 'ready') this.#becameApplied(Number.POSITIVE_INFINITY);
    else if (message.kind === 'failed') this.#fail(asError(message.error));
    else {
      this.#events.changesRefused(message.all);
      // Memory has rows that the file will never have: it must be read again.
      this.#fail(new StorageFailure(`the database rejected a durable change: ${message.all[0]?.reason}`));
    }
    if (this.#written.length === 0 && this.#durable.length === 0) this.#thread?.port.unref();
  }

  #becameDurable(through: number): void {
    for (const batch of takeThrough(this.#written, through)) {
      this.#durable.push(batch);
      this.#events.batchDurable(batch);
    }
  }

  #loseBatches(through: number, error: Error): void {
    for (const batch of takeThrough(this.#written, through)) this.#events.batchLost(batch, error);
  }

  #becameApplied(through: number): void {
    for (const batch of takeThrough(this.#durable, through)) this.#events.batchApplied(batch);
  }

  #fail(error: Error): void {
    this.#failure = error;
    this.#requested = 0;
    this.#events.storeFailed(error);
  }

  /**
   * Batches that a dead thread has not acknowledged count as lost, though they may be durable. The next thread applies durable ones
   * first.
   */
  #lose(thread: Thread, why: string): void {
    if (thread !== this.#thread) return;
    while (this.#receiveNow(thread));
    this.#thread = null;
    thread.port.close();
    const failure = new StorageFailure(why);
    if (this.#written.length > 0) this.#failure = failure;
    this.#loseBatches(Number.POSITIVE_INFINITY, failure);
    if (this.#durable.length > 0) this.#fail(failure);
  }
}

/** Removes the batches up to this number from the list, oldest first. */
const takeThrough = (batches: number[], through: number): number[] => {
  const beyond = batches.findIndex((batch) => batch > through);
  return batches.splice(0, beyond === -1 ? batches.length : beyond);
};

/**
 * Writer of a database in memory, which only one connection sees: applies batches in this thread, one turn of the event
 * loop later.
 */
class MemoryWriter implements Writer {
  readonly #here: Connection;
  readonly #events: WriterEvents;
  #waiting: { readonly batch: number; readonly changes: RowChanges }[] = [];
  #failure: Error | null = null;

  constructor(here: Connection, events: WriterEvents) {
    this.#here = here;
    this.#events = events;
  }

  write(batch: number, changes: RowChanges): void {
    this.#waiting.push({ batch, changes });
    setImmediate(() => this.#next());
  }

  applyNow(): void {}

  wroteBeside(): void {}

  waitApplied(): void {
    while (this.#waiting.length > 0) this.#next();
  }

  resume(): void {
    this.#failure = null;
  }

  async close(): Promise<void> {
    this.waitApplied();
  }

  #next(): void {
    const next = this.#waiting.shift();
    if (next === undefined) return;
    try {
      if (this.#failure !== null) throw this.#failure;
      this.#here.transaction(() => execute(this.#here.statement, next.changes));
    } catch (error) {
      this.#failure = asError(sendableError(error));
      this.#events.batchLost(next.batch, this.#failure);
      return;
    }
    this.#events.batchDurable(next.batch);
    this.#events.batchApplied(next.batch);
  }
}

export const openWriter = (path: string | null, here: Connection, events: WriterEvents): Writer =>
  path === null ? new MemoryWriter(here, events) : new ThreadWriter(path, events);
