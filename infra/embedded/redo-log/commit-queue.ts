import type { SQLInputValue } from 'node:sqlite';
import { entryOf } from '#domain/assert.ts';
import type { RefusedChange } from './replay.ts';
import type { RowChanges } from './statements.ts';
import type { Writer, WriterEvents } from './writer.ts';

/** Records statements instead of running them. */
export class StatementRecorder {
  readonly changes: RowChanges = { texts: [], steps: [], values: [] };
  readonly #places = new Map<string, number>();

  record(text: string, values: readonly SQLInputValue[]): void {
    const { texts, steps, values: all } = this.changes;
    let place = this.#places.get(text);
    if (place === undefined) {
      place = texts.push(text) - 1;
      this.#places.set(text, place);
    }
    steps.push(place, values.length);
    for (const value of values) all.push(value);
  }
}

interface Submission {
  readonly changes: RowChanges;
  readonly batch: number;
  /** Monotonic, ms. */
  readonly began: number;
  readonly resolve: (ms: number) => void;
  readonly reject: (error: Error) => void;
}
/** A batch sent to the writer. Its changes are not retained here, to keep them out of the old generation. */
interface SentBatch extends Pick<Submission, 'began' | 'resolve' | 'reject'> {
  readonly changes: number;
}
interface Exclusive {
  readonly run: () => void;
  readonly reject: (error: Error) => void;
}
interface Waiter {
  /** Waits until the batches through this number are applied. */
  readonly through: number;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/**
 * Holds the future state of rows after all submitted batches. Batches are numbered from 1 on and applied in this order.
 */
export interface BatchListener {
  /** The recorded changes are submitted as this batch. */
  submitted(batch: number): void;
  /** The batch is in the file. */
  applied(batch: number): void;
  /** The batch is not applied in this process. The file has its rows as older batches leave them once those are applied. */
  lost(batch: number): void;
  /** The recorded changes will not be submitted. */
  discarded(): void;
}

/** Changes that are submitted but not applied; above this number a durable batch is acknowledged only when there are fewer again. */
const MAX_UNAPPLIED = 75_000;

/** Results that no caller waits for. */
interface QueueEvents {
  /** A batch is lost: caches may have its rows. */
  forget(): void;
  refused(all: readonly RefusedChange[]): void;
  /** The store accepts no changes, or applies none, until `resume`. */
  failed(error: Error): void;
  /** Time for which this thread was blocked until batches were applied, or failed. */
  waited(ms: number): void;
}

/**
 * Batches submitted to the writer and not yet applied to the database, by their numbers. This thread and the writer's
 * alternate: exclusive work runs when the writer is idle, so that neither waits for the other's lock.
 */
export class CommitQueue implements WriterEvents {
  readonly #writer: Writer;
  readonly #told: QueueEvents;
  #recorder: StatementRecorder | null = null;
  #queue: (Submission | Exclusive)[] = [];
  #failure: Error | null = null;
  #lastSubmitted = 0;
  #lastDurable = 0;
  #lastApplied = 0;
  /** Neither applied nor lost. */
  readonly #sent = new Map<number, SentBatch>();
  /** Changes of all of them. */
  #unapplied = 0;
  #waiters: Waiter[] = [];
  /** Durable, and acknowledged when fewer changes wait to be applied. */
  #held: SentBatch[] = [];
  readonly #listeners: BatchListener[] = [];

  readonly #maxUnapplied: number;

  constructor(makeWriter: (events: WriterEvents) => Writer, told: QueueEvents, maxUnapplied = MAX_UNAPPLIED) {
    this.#maxUnapplied = maxUnapplied;
    this.#writer = makeWriter(this);
    this.#told = told;
  }

  /** Adds the listener that `make` returns; it receives all batches submitted from now on. */
  addListener<L extends BatchListener>(make: (isRecording: () => boolean) => L): L {
    const listener = make(() => this.isRecording);
    this.#listeners.push(listener);
    return listener;
  }

  get isRecording(): boolean {
    return this.#recorder !== null;
  }

  /** False when no batch is being recorded: then the caller has to make the change at once. */
  record(text: string, values: readonly SQLInputValue[]): boolean {
    this.#recorder?.record(text, values);
    return this.#recorder !== null;
  }

  /** Submits all changes that `work` makes as one batch. Resolves when the batch is durable, with the duration, ms. */
  submit(work: () => void): Promise<number> {
    const began = performance.now();
    const recorder = new StatementRecorder();
    this.#recorder = recorder;
    try {
      work();
    } catch (error) {
      for (const listener of this.#listeners) listener.discarded();
      this.#told.forget();
      throw error;
    } finally {
      this.#recorder = null;
    }
    const batch = ++this.#lastSubmitted;
    for (const listener of this.#listeners) listener.submitted(batch);
    return new Promise((resolve, reject) => {
      this.#queue.push({ changes: recorder.changes, batch, began, resolve, reject });
      this.#next();
    });
  }

  /** Runs `work`, which writes at once, when all batches submitted before it are applied. Those submitted behind it wait, and are not `unapplied`. */
  exclusive<T>(work: () => T): Promise<T> {
    // Batches are still accepted during most of the wait; only the remainder delays them.
    if (!this.isApplied) return this.applied().then(() => this.#whenDrained(work));
    return this.#whenDrained(work);
  }

  #whenDrained<T>(work: () => T): Promise<T> {
    // A store that failed since then applies nothing before `resume`.
    if (this.#failure !== null && this.#sent.size > 0) return Promise.reject(this.#failure);
    return new Promise((resolve, reject) => {
      const run = (): void => {
        try {
          resolve(work());
        } catch (error) {
          reject(error);
        }
      };
      this.#queue.push({ run, reject });
      this.#next();
    });
  }

  /** Changes that are submitted to the writer and not applied. */
  get unapplied(): number {
    return this.#unapplied;
  }

  get isApplied(): boolean {
    return this.#lastApplied >= this.#lastDurable;
  }

  /** Resolves when all batches that are durable now are applied. */
  applied(): Promise<void> {
    if (this.isApplied) return Promise.resolve();
    if (this.#failure !== null) return Promise.reject(this.#failure);
    this.#writer.applyNow();
    return new Promise((resolve, reject) => this.#waiters.push({ through: this.#lastDurable, resolve, reject }));
  }

  /** Blocks until all submitted batches are applied; throws when one is not. */
  waitApplied(): void {
    const exclusives = this.#queue.filter((job) => 'run' in job);
    for (const job of this.#queue) if ('changes' in job) this.#send(job);
    this.#queue = exclusives;
    this.drain();
    if (this.#failure !== null) throw this.#failure;
  }

  /** Blocks until the writer has applied all batches sent to it, or the store fails. */
  drain(): void {
    if (this.#sent.size === 0) return;
    const began = performance.now();
    try {
      this.#writer.waitApplied();
    } finally {
      this.#told.waited(performance.now() - began);
    }
  }

  /**
   * Ends a failure, before memory is read again. Resolves when all durable batches are applied; rejects when the store
   * still fails.
   */
  async resume(): Promise<void> {
    this.#failure = null;
    this.#writer.resume();
    await this.applied();
    // Rows read between a lost batch and the commit of earlier ones may match no committed state.
    this.#told.forget();
  }

  close(): Promise<void> {
    return this.#writer.close();
  }

  #next(): void {
    for (let job = this.#queue[0]; job !== undefined; job = this.#queue[0]) {
      if ('run' in job && this.#sent.size > 0) {
        this.#writer.applyNow();
        return;
      }
      this.#queue.shift();
      if ('run' in job) {
        job.run();
        this.#writer.wroteBeside();
      } else this.#send(job);
    }
  }

  #send({ changes, batch, began, resolve, reject }: Submission): void {
    const count = changes.steps.length / 2;
    this.#sent.set(batch, { changes: count, began, resolve, reject });
    this.#unapplied += count;
    this.#writer.write(batch, changes);
  }

  batchDurable(batch: number): void {
    const sent = entryOf(this.#sent, batch);
    this.#lastDurable = batch;
    this.#next();
    if (this.#unapplied <= this.#maxUnapplied || this.#failure !== null) sent.resolve(performance.now() - sent.began);
    else {
      this.#held.push(sent);
      this.#writer.applyNow();
    }
  }

  batchApplied(batch: number): void {
    for (const listener of this.#listeners) listener.applied(batch);
    this.#lastApplied = batch;
    this.#end(batch);
    if (this.#unapplied <= this.#maxUnapplied) this.#acknowledgeHeld();
    const waiters = this.#waiters;
    this.#waiters = waiters.filter(({ through }) => through > batch);
    for (const { through, resolve } of waiters) if (through <= batch) resolve();
    this.#next();
  }

  batchLost(batch: number, error: Error): void {
    for (const listener of this.#listeners) listener.lost(batch);
    const { reject } = this.#end(batch);
    const isFirst = this.#failure === null;
    this.#failure = error;
    this.#told.forget();
    reject(error);
    // They are durable, and `resume` waits for the end of all batches.
    this.#acknowledgeHeld();
    if (isFirst) this.#told.failed(error);
    this.#next();
  }

  #acknowledgeHeld(): void {
    for (const { resolve, began } of this.#held.splice(0)) resolve(performance.now() - began);
  }

  #end(batch: number): SentBatch {
    const sent = entryOf(this.#sent, batch);
    this.#sent.delete(batch);
    this.#unapplied -= sent.changes;
    return sent;
  }

  /** Durable batches stay durable, and `resume` applies them; their waiters are rejected. */
  storeFailed(error: Error): void {
    this.#failure = error;
    // Nothing is applied before `resume`, which waits for the end of these.
    this.#acknowledgeHeld();
    for (const { reject } of this.#waiters.splice(0)) reject(error);
    const exclusives = this.#queue.filter((job) => 'run' in job);
    const submissions = this.#queue.filter((job) => 'changes' in job);
    this.#queue = [];
    for (const { reject } of exclusives) reject(error);
    for (const job of submissions) this.#send(job);
    this.#told.failed(error);
  }

  changesRefused(all: readonly RefusedChange[]): void {
    this.#told.refused(all);
  }
}
