import { MessageChannel, type MessagePort, receiveMessageOnPort, type Worker } from 'node:worker_threads';
import { asError, StorageFailure, sendableError } from '#infra/embedded/sqlite/errors.ts';
import type { Prepare } from '#infra/embedded/sqlite/rows.ts';
import { startThread } from '#infra/start-thread.ts';
import type { FromJournal, ToJournal } from './messages.ts';
import { packChanges, type Refused } from './replay.ts';
import { execute, type RowChanges } from './statements.ts';

/** Callbacks of one write, called in the order of the writes. */
export interface WriteListener {
  /** Null: the changes survive a loss of power. Otherwise none of them will ever be in the database. */
  durable(error: Error | null): void;
  /** The changes are in the database, where all connections read them. Only after `durable`. */
  applied(): void;
}

/** Makes writes durable and applies them in order, several in one transaction. */
export interface Writer {
  /** After a failed write all others fail until `resume`: they were made from memory that is ahead of the journal. */
  write(changes: RowChanges, told: WriteListener): void;
  /** Commits durable writes without the usual delay. */
  applyNow(): void;
  /** Blocks until all writes are applied, or the store fails. */
  waitApplied(): void;
  /** Starts the threads, so that the first write need not wait; accepts writes again after a failure. */
  resume(): void;
  /** Applies all accepted writes, unless the store fails; later writes fail. */
  close(): Promise<void>;
}

/** Events of a writer that belong to no single write. */
export interface WriterEvents {
  /** Durable writes cannot be applied; writes fail until `resume`, which tries again. */
  failed(error: Error): void;
  refused(all: readonly Refused[]): void;
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
  #era = 0;
  /** Not acknowledged yet, and durable but not applied; each oldest first. */
  #unacknowledged: WriteListener[] = [];
  #unapplied: WriteListener[] = [];
  #failure: Error | null = null;
  /** The number of durable writes that a `commit` message covers already. */
  #requested = 0;
  /** After the close another process may open the journal, so no thread may start again. */
  #isClosed = false;

  constructor(path: string, events: WriterEvents) {
    this.#path = path;
    this.#events = events;
  }

  write(changes: RowChanges, told: WriteListener): void {
    const failure = this.#isClosed ? new StorageFailure('the writer is closed') : this.#failure;
    if (failure !== null) {
      queueMicrotask(() => told.durable(failure));
      return;
    }
    this.#thread ??= this.#start();
    this.#unacknowledged.push(told);
    this.#thread.port.ref();
    const content = packChanges(changes);
    this.#post({ kind: 'write', era: this.#era, content }, [content.buffer]);
  }

  applyNow(): void {
    if (this.#unapplied.length <= this.#requested || this.#thread === null) return;
    this.#requested = this.#unapplied.length;
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
    this.#era += 1;
    this.#failure = null;
    this.#requested = 0;
    this.#thread ??= this.#start();
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

  /** Durable writes stay in the journal while the store fails. */
  get #isBusy(): boolean {
    return this.#unacknowledged.length > 0 || (this.#unapplied.length > 0 && this.#failure === null);
  }

  #post(message: ToJournal, transferred: readonly ArrayBuffer[] = []): void {
    this.#thread?.port.postMessage(message, transferred);
  }

  #start(): Thread {
    const { port1: port, port2 } = new MessageChannel();
    const answered = new Int32Array(new SharedArrayBuffer(8));
    const worker = startThread(new URL('./journal-thread.ts', import.meta.url), {
      workerData: { path: this.#path, port: port2, answered },
      transferList: [port2],
    });
    const thread = { worker, port, answered };
    worker.unref();
    port.on('message', (message: FromJournal) => this.#receive(message));
    port.unref();
    worker.on('error', (error) => this.#lose(thread, error.message));
    worker.on('exit', () => this.#lose(thread, 'the writer has ended'));
    return thread;
  }

  /** Receives one answer, or waits for one. */
  #awaitAnswer(thread: Thread, end: number): void {
    const before = Atomics.load(thread.answered, 0);
    if (this.#receiveNow(thread)) return;
    if (Atomics.load(thread.answered, 1) === 1) this.#lose(thread, 'the writer has ended');
    else Atomics.wait(thread.answered, 0, before, LOOK_MS);
    if (performance.now() > end) throw new StorageFailure('the writer does not answer');
  }

  /** Receives an answer that has arrived; false when there is none. */
  #receiveNow({ port }: Thread): boolean {
    const received = receiveMessageOnPort(port);
    if (received !== undefined) this.#receive(received.message as FromJournal);
    return received !== undefined;
  }

  #receive(message: FromJournal): void {
    if (message.kind === 'durable') this.#durable(message.count, message.error && asError(message.error));
    else if (message.kind === 'applied') this.#applied(message.count);
    else if (message.kind === 'ready') this.#applied(this.#unapplied.length);
    else if (message.kind === 'failed') this.#fail(asError(message.error));
    else {
      this.#events.refused(message.all);
      // Memory has rows that the file will never have: it must be read again.
      this.#fail(new StorageFailure(`the database refused what was kept: ${message.all[0]?.reason}`));
    }
    if (this.#unacknowledged.length === 0 && this.#unapplied.length === 0) this.#thread?.port.unref();
  }

  #durable(count: number, error: Error | null): void {
    for (const told of this.#unacknowledged.splice(0, count)) {
      if (error === null) this.#unapplied.push(told);
      told.durable(error);
    }
  }

  #applied(count: number): void {
    this.#requested = Math.max(0, this.#requested - count);
    for (const told of this.#unapplied.splice(0, count)) told.applied();
  }

  #fail(error: Error): void {
    this.#failure = error;
    this.#requested = 0;
    this.#events.failed(error);
  }

  /**
   * Writes that a dead thread has not acknowledged count as failed, though they may be durable. The next thread applies durable writes
   * first.
   */
  #lose(thread: Thread, why: string): void {
    if (thread !== this.#thread) return;
    while (this.#receiveNow(thread));
    this.#thread = null;
    thread.port.close();
    const failure = new StorageFailure(why);
    if (this.#unacknowledged.length > 0) this.#failure = failure;
    for (const told of this.#unacknowledged.splice(0)) told.durable(failure);
    if (this.#unapplied.length > 0) this.#fail(failure);
  }
}

/** For a database in memory, which only one connection sees: applies writes in this thread, one turn of the event loop later. */
class MemoryWriter implements Writer {
  readonly #here: Connection;
  #waiting: { readonly changes: RowChanges; readonly told: WriteListener }[] = [];
  #failure: Error | null = null;

  constructor(here: Connection) {
    this.#here = here;
  }

  write(changes: RowChanges, told: WriteListener): void {
    this.#waiting.push({ changes, told });
    setImmediate(() => this.#next());
  }

  applyNow(): void {}

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
    }
    next.told.durable(this.#failure);
    if (this.#failure === null) next.told.applied();
  }
}

export const openWriter = (path: string | null, here: Connection, events: WriterEvents): Writer =>
  path === null ? new MemoryWriter(here) : new ThreadWriter(path, events);
