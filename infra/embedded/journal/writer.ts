import type { StatementSync } from 'node:sqlite';
import { MessageChannel, type MessagePort, receiveMessageOnPort, type Worker } from 'node:worker_threads';
import { asError, StorageFailure, sendableError } from '#infra/embedded/sqlite/errors.ts';
import { startThread } from '#infra/embedded/sqlite/start-thread.ts';
import type { FromKeeper, ToKeeper } from './messages.ts';
import { packChanges, type Refused } from './replay.ts';
import { type Changes, carryOut } from './statements.ts';

/** Who writes is told, in the order of the writes. */
export interface Told {
  /** Null: the changes survive a loss of power. Else nothing of them will ever be in the database. */
  kept(error: Error | null): void;
  /** The changes are in the database, where all connections read them. Only after they were kept. */
  applied(): void;
}

/** Keeps changes, and applies them in the order in which they come: those of one write as a whole, several in one transaction. */
export interface Writer {
  /** After a write that failed, all others fail like it until `resume`: they were made from memory that is ahead of what is kept. */
  write(changes: Changes, told: Told): void;
  /** Applies now what would be applied soon. */
  hurry(): void;
  /** Blocks until everything is applied; when the store fails, it returns before. */
  settle(): void;
  /** Takes writes from now on: at the start, so that the first need not wait, and again after a failure. */
  resume(): void;
  /** Ends what was taken first, as far as the store takes it; what comes after it fails. */
  close(): Promise<void>;
}

/** What a writer tells besides. */
export interface WriterEvents {
  /** What was kept cannot be applied now; writes fail until `resume`, which tries again. */
  failed(error: Error): void;
  refused(all: readonly Refused[]): void;
}

/** The connection of this thread. */
export interface Connection {
  statement(text: string): StatementSync;
  transaction(work: () => void): void;
}

/** One look at a thread that does not answer; the whole wait is bounded, too. */
const LOOK_MS = 1_000;
const SETTLE_MS = 30_000;

interface Thread {
  readonly worker: Worker;
  readonly port: MessagePort;
  /** Counts its answers, the end of the thread among them; then the second number is 1. */
  readonly answered: Int32Array;
}

/**
 * A thread that keeps changes in the redo log, and has another one apply them to the database in transactions that stay open for many
 * of them. Started when it is needed, and again when one of the two has died.
 */
class ThreadWriter implements Writer {
  readonly #path: string;
  readonly #events: WriterEvents;
  #thread: Thread | null = null;
  #era = 0;
  /** Not answered yet, and kept but not applied; each oldest first. */
  #unkept: Told[] = [];
  #unapplied: Told[] = [];
  #failure: Error | null = null;
  /** So many of the kept ones are to be applied at once already. */
  #hurried = 0;
  /** Another thread would write to a log that somebody else may have opened since. */
  #isClosed = false;

  constructor(path: string, events: WriterEvents) {
    this.#path = path;
    this.#events = events;
  }

  write(changes: Changes, told: Told): void {
    const failure = this.#isClosed ? new StorageFailure('the writer is closed') : this.#failure;
    if (failure !== null) {
      queueMicrotask(() => told.kept(failure));
      return;
    }
    this.#thread ??= this.#start();
    this.#unkept.push(told);
    this.#thread.port.ref();
    const content = packChanges(changes);
    this.#post({ kind: 'write', era: this.#era, content }, [content.buffer]);
  }

  hurry(): void {
    if (this.#unapplied.length <= this.#hurried || this.#thread === null) return;
    this.#hurried = this.#unapplied.length;
    this.#post({ kind: 'commit' });
  }

  settle(): void {
    const end = performance.now() + SETTLE_MS;
    while (this.#thread !== null && this.#isBusy) {
      this.hurry();
      this.#look(this.#thread, end);
    }
  }

  resume(): void {
    if (this.#isClosed) return;
    this.#era += 1;
    this.#failure = null;
    this.#hurried = 0;
    this.#thread ??= this.#start();
    this.hurry();
  }

  async close(): Promise<void> {
    this.settle();
    this.#isClosed = true;
    const thread = this.#thread;
    if (thread === null) return;
    const ended = new Promise((resolve) => thread.worker.once('exit', resolve));
    this.#post({ kind: 'end' });
    thread.worker.ref();
    await ended;
  }

  /** What is kept stays where it is while the store fails. */
  get #isBusy(): boolean {
    return this.#unkept.length > 0 || (this.#unapplied.length > 0 && this.#failure === null);
  }

  #post(message: ToKeeper, transferred: readonly ArrayBuffer[] = []): void {
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
    port.on('message', (message: FromKeeper) => this.#receive(message));
    port.unref();
    worker.on('error', (error) => this.#lose(thread, error.message));
    worker.on('exit', () => this.#lose(thread, 'the writer has ended'));
    return thread;
  }

  /** Takes one answer, or waits for one. */
  #look(thread: Thread, end: number): void {
    const before = Atomics.load(thread.answered, 0);
    if (this.#receiveNow(thread)) return;
    if (Atomics.load(thread.answered, 1) === 1) this.#lose(thread, 'the writer has ended');
    else Atomics.wait(thread.answered, 0, before, LOOK_MS);
    if (performance.now() > end) throw new StorageFailure('the writer does not answer');
  }

  /** Takes an answer that has arrived; false when there is none. */
  #receiveNow({ port }: Thread): boolean {
    const received = receiveMessageOnPort(port);
    if (received !== undefined) this.#receive(received.message as FromKeeper);
    return received !== undefined;
  }

  #receive(message: FromKeeper): void {
    if (message.kind === 'kept') this.#kept(message.count, message.error && asError(message.error));
    else if (message.kind === 'applied') this.#applied(message.count);
    else if (message.kind === 'ready') this.#applied(this.#unapplied.length);
    else if (message.kind === 'failed') this.#fail(asError(message.error));
    else {
      this.#events.refused(message.all);
      // Memory holds what the file will never have: it is to be read anew.
      this.#fail(new StorageFailure(`the database refused what was kept: ${message.all[0]?.reason}`));
    }
    if (this.#unkept.length === 0 && this.#unapplied.length === 0) this.#thread?.port.unref();
  }

  #kept(count: number, error: Error | null): void {
    for (const told of this.#unkept.splice(0, count)) {
      if (error === null) this.#unapplied.push(told);
      told.kept(error);
    }
  }

  #applied(count: number): void {
    this.#hurried = Math.max(0, this.#hurried - count);
    for (const told of this.#unapplied.splice(0, count)) told.applied();
  }

  #fail(error: Error): void {
    this.#failure = error;
    this.#hurried = 0;
    this.#events.failed(error);
  }

  /**
   * What a dead thread has not answered counts as failed, though it may have been kept. What was kept is applied by the next thread
   * before all else.
   */
  #lose(thread: Thread, why: string): void {
    if (thread !== this.#thread) return;
    while (this.#receiveNow(thread));
    this.#thread = null;
    thread.port.close();
    const failure = new StorageFailure(why);
    if (this.#unkept.length > 0) this.#failure = failure;
    for (const told of this.#unkept.splice(0)) told.kept(failure);
    if (this.#unapplied.length > 0) this.#fail(failure);
  }
}

/** For a database in memory, which only one connection sees: the same work in this thread, a turn later. */
class TurnWriter implements Writer {
  readonly #here: Connection;
  #waiting: { readonly changes: Changes; readonly told: Told }[] = [];
  #failure: Error | null = null;

  constructor(here: Connection) {
    this.#here = here;
  }

  write(changes: Changes, told: Told): void {
    this.#waiting.push({ changes, told });
    setImmediate(() => this.#next());
  }

  hurry(): void {}

  settle(): void {
    while (this.#waiting.length > 0) this.#next();
  }

  resume(): void {
    this.#failure = null;
  }

  async close(): Promise<void> {
    this.settle();
  }

  #next(): void {
    const next = this.#waiting.shift();
    if (next === undefined) return;
    try {
      if (this.#failure !== null) throw this.#failure;
      this.#here.transaction(() => carryOut(this.#here.statement, next.changes));
    } catch (error) {
      this.#failure = asError(sendableError(error));
    }
    next.told.kept(this.#failure);
    if (this.#failure === null) next.told.applied();
  }
}

export const openWriter = (path: string | null, here: Connection, events: WriterEvents): Writer =>
  path === null ? new TurnWriter(here) : new ThreadWriter(path, events);
