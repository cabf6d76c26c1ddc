import type { SQLInputValue } from 'node:sqlite';
import type { Refused } from './replay.ts';
import { type RowChanges, StatementRecorder } from './statements.ts';
import type { Writer } from './writer.ts';

interface Submission {
  readonly changes: RowChanges;
  readonly batch: number;
  readonly resolve: (ms: number) => void;
  readonly reject: (error: Error) => void;
}
/** A batch sent to the writer. Its changes are not retained here, to keep them out of the old generation. */
interface SentBatch {
  readonly batch: number;
  readonly steps: number;
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

/** Keeps rows as they will be when all submitted batches are applied. Batches are numbered from 1 on and applied in this order. */
export interface BatchListener {
  /** The recorded changes are submitted as this batch. */
  submitted(batch: number): void;
  /** The batch is in the file. */
  applied(batch: number): void;
  /** The batch will never be in the file. The file has its rows as older batches leave them once those are applied. */
  lost(batch: number): void;
  /** The recorded changes will not be submitted. */
  discarded(): void;
}

/** Changes that are durable but not applied; above this number a batch is acknowledged only when there are fewer again. */
const MAX_UNAPPLIED = 150_000;

/**
 * Batches submitted to the writer and not yet applied to the database. This thread and the writer's take turns to write: exclusive work
 * runs when the writer is idle, so that neither waits for the other's lock.
 */
export class CommitQueue {
  readonly #writer: Writer;
  readonly #forget: () => void;
  readonly #failed: (error: Error) => void;
  #recorder: StatementRecorder | null = null;
  #queue: (Submission | Exclusive)[] = [];
  #failure: Error | null = null;
  #lastSubmitted = 0;
  #lastDurable = 0;
  #lastApplied = 0;
  #sent = 0;
  #unapplied = 0;
  #waiters: Waiter[] = [];
  #held: (() => void)[] = [];
  readonly #listeners: BatchListener[] = [];

  /**
   * `forget` runs when a batch is lost: caches may have its rows. `refused` receives durable changes that the database does not
   * accept; `failed` runs when no durable change can be applied until `resume`.
   */
  constructor(
    makeWriter: (told: { failed(error: Error): void; refused(all: readonly Refused[]): void }) => Writer,
    told: { forget: () => void; refused: (all: readonly Refused[]) => void; failed: (error: Error) => void },
  ) {
    this.#writer = makeWriter({ failed: (error) => this.#fail(error), refused: told.refused });
    this.#forget = told.forget;
    this.#failed = told.failed;
  }

  /** Adds the listener that `make` returns; it hears of all batches submitted from now on. */
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

  /** Submits all changes that `work` makes as one batch. Resolves when the batch is durable, with the time that took, ms. */
  submit(work: () => void): Promise<number> {
    const recorder = new StatementRecorder();
    this.#recorder = recorder;
    try {
      work();
    } catch (error) {
      for (const listener of this.#listeners) listener.discarded();
      this.#forget();
      throw error;
    } finally {
      this.#recorder = null;
    }
    const batch = ++this.#lastSubmitted;
    for (const listener of this.#listeners) listener.submitted(batch);
    return new Promise((resolve, reject) => {
      this.#queue.push({ changes: recorder.changes, batch, resolve, reject });
      this.#next();
    });
  }

  /** Runs `work`, which writes at once, when all batches submitted before it are applied. */
  exclusive<T>(work: () => T): Promise<T> {
    // Batches are still accepted during most of the wait; only the rest of it holds them up.
    if (!this.isApplied) return this.applied().then(() => this.#whenDrained(work));
    return this.#whenDrained(work);
  }

  #whenDrained<T>(work: () => T): Promise<T> {
    // A store that failed since then applies nothing before `resume`.
    if (this.#failure !== null && this.#sent > 0) return Promise.reject(this.#failure);
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
    if (this.#sent > 0) this.#writer.waitApplied();
  }

  /** Ends a failure, before memory is read anew. Resolves when all durable batches are applied; rejects when the store still fails. */
  async resume(): Promise<void> {
    this.#failure = null;
    this.#writer.resume();
    await this.applied();
    // Rows read between a lost batch and the commit of earlier ones may match no committed state.
    this.#forget();
  }

  close(): Promise<void> {
    return this.#writer.close();
  }

  #next(): void {
    for (let job = this.#queue[0]; job !== undefined; job = this.#queue[0]) {
      if ('run' in job && this.#sent > 0) {
        this.#writer.applyNow();
        return;
      }
      this.#queue.shift();
      if ('run' in job) job.run();
      else this.#send(job);
    }
  }

  #send({ changes, batch, resolve, reject }: Submission): void {
    const sent: SentBatch = { batch, steps: changes.steps.length };
    this.#sent += 1;
    this.#unapplied += sent.steps;
    const began = performance.now();
    this.#writer.write(changes, {
      durable: (error) => {
        if (error === null) this.#durable(batch, () => resolve(performance.now() - began));
        else this.#lose(sent, error, reject);
      },
      applied: () => this.#applied(sent),
    });
  }

  #durable(batch: number, acknowledge: () => void): void {
    this.#lastDurable = batch;
    this.#next();
    if (this.#unapplied <= MAX_UNAPPLIED) acknowledge();
    else {
      this.#held.push(acknowledge);
      this.#writer.applyNow();
    }
  }

  #applied({ batch, steps }: SentBatch): void {
    for (const listener of this.#listeners) listener.applied(batch);
    this.#lastApplied = batch;
    this.#ended(steps);
    if (this.#unapplied <= MAX_UNAPPLIED) for (const acknowledge of this.#held.splice(0)) acknowledge();
    const waiters = this.#waiters;
    this.#waiters = waiters.filter(({ through }) => through > batch);
    for (const { through, resolve } of waiters) if (through <= batch) resolve();
    this.#next();
  }

  #lose({ batch, steps }: SentBatch, error: Error, reject: (error: Error) => void): void {
    for (const listener of this.#listeners) listener.lost(batch);
    this.#ended(steps);
    this.#failure = error;
    this.#forget();
    reject(error);
    this.#next();
  }

  #ended(steps: number): void {
    this.#sent -= 1;
    this.#unapplied -= steps;
  }

  /** Durable batches stay durable, and `resume` applies them; their waiters are rejected. */
  #fail(error: Error): void {
    this.#failure = error;
    for (const { reject } of this.#waiters.splice(0)) reject(error);
    const exclusives = this.#queue.filter((job) => 'run' in job);
    const submissions = this.#queue.filter((job) => 'changes' in job);
    this.#queue = [];
    for (const { reject } of exclusives) reject(error);
    for (const job of submissions) this.#send(job);
    this.#failed(error);
  }
}
