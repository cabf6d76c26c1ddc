import type { StatementSync } from 'node:sqlite';
import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from 'node:worker_threads';
import { type Changes, carryOut } from './changes.ts';
import { asError, StorageFailure, sendableError } from './storage-failure.ts';
import type { Write, Written } from './writer-messages.ts';

/** Called once for each write, in their order. `error` is null when the changes are committed, which took `ms`. */
export type Landed = (error: Error | null, ms: number) => void;

/** Commits changes, each in one transaction, in the order in which they come. */
export interface Writer {
  /** After a write that failed, all others fail like it until `resume`: they were made from memory that is ahead of the file. */
  write(changes: Changes, landed: Landed): void;
  /** Blocks until everything has landed. */
  settle(): void;
  /** Takes writes from now on: at the start, so that the first need not wait, and again after a failure. */
  resume(): void;
  /** Ends what was taken first. */
  close(): Promise<void>;
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

/** A writer in a thread of its own, with a connection of its own; started when it is needed, and again when it has died. */
class ThreadWriter implements Writer {
  readonly #path: string;
  #thread: Thread | null = null;
  #waiting: Landed[] = [];
  #era = 0;

  constructor(path: string) {
    this.#path = path;
  }

  write(changes: Changes, landed: Landed): void {
    this.#thread ??= this.#start();
    if (this.#waiting.push(landed) === 1) this.#thread.port.ref();
    this.#thread.port.postMessage({ era: this.#era, changes } satisfies Write);
  }

  settle(): void {
    const thread = this.#thread;
    const end = performance.now() + SETTLE_MS;
    while (thread !== null && thread === this.#thread && this.#waiting.length > 0) {
      const before = Atomics.load(thread.answered, 0);
      if (this.#receive(thread)) continue;
      if (Atomics.load(thread.answered, 1) === 1) throw new StorageFailure('the writer has ended');
      Atomics.wait(thread.answered, 0, before, LOOK_MS);
      if (performance.now() > end) throw new StorageFailure('the writer does not answer');
    }
  }

  resume(): void {
    this.#era += 1;
    this.#thread ??= this.#start();
  }

  async close(): Promise<void> {
    try {
      this.settle();
    } catch {
      // A thread that has ended, or will not, holds up no close.
    }
    const thread = this.#thread;
    if (thread === null) return;
    const ended = new Promise((resolve) => thread.worker.once('exit', resolve));
    thread.port.postMessage(null satisfies Write);
    thread.worker.ref();
    await ended;
  }

  #start(): Thread {
    const { port1: port, port2 } = new MessageChannel();
    const answered = new Int32Array(new SharedArrayBuffer(8));
    const worker = new Worker(new URL('./writer-thread.ts', import.meta.url), {
      workerData: { path: this.#path, port: port2, answered },
      transferList: [port2],
    });
    const thread = { worker, port, answered };
    worker.unref();
    port.on('message', (written: Written) => this.#landed(written));
    port.unref();
    worker.on('error', (error) => this.#lose(thread, error.message));
    worker.on('exit', () => this.#lose(thread, 'the writer has ended'));
    return thread;
  }

  /** Takes an answer that has arrived; false when there is none. */
  #receive({ port }: Thread): boolean {
    const received = receiveMessageOnPort(port);
    if (received !== undefined) this.#landed(received.message as Written);
    return received !== undefined;
  }

  #landed({ ms, error }: Written): void {
    const landed = this.#waiting.shift();
    if (this.#waiting.length === 0) this.#thread?.port.unref();
    landed?.(error === null ? null : asError(error), ms);
  }

  /** What a dead thread has not answered counts as failed, though it may be in the file. */
  #lose(thread: Thread, why: string): void {
    if (thread !== this.#thread) return;
    while (this.#receive(thread));
    this.#thread = null;
    thread.port.close();
    for (const landed of this.#waiting.splice(0)) landed(new StorageFailure(why), 0);
  }
}

/** For a database in memory, which only one connection sees: the same work in this thread, a turn later. */
class TurnWriter implements Writer {
  readonly #here: Connection;
  #waiting: { readonly changes: Changes; readonly landed: Landed }[] = [];
  #failure: Error | null = null;

  constructor(here: Connection) {
    this.#here = here;
  }

  write(changes: Changes, landed: Landed): void {
    this.#waiting.push({ changes, landed });
    setImmediate(() => this.#next());
  }

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
    const began = performance.now();
    try {
      if (this.#failure !== null) throw this.#failure;
      this.#here.transaction(() => carryOut(this.#here.statement, next.changes));
    } catch (error) {
      this.#failure = asError(sendableError(error));
    }
    next.landed(this.#failure, performance.now() - began);
  }
}

export const openWriter = (path: string | null, here: Connection): Writer =>
  path === null ? new TurnWriter(here) : new ThreadWriter(path);
