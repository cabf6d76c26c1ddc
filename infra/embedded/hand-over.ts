import type { SQLInputValue } from 'node:sqlite';
import { type Changes, Gathering } from './changes.ts';
import { InFlight } from './in-flight.ts';
import type { Writer } from './writer.ts';

type Job =
  | { readonly changes: Changes; readonly resolve: (ms: number) => void; readonly reject: (error: Error) => void }
  | { readonly run: () => void };

/**
 * What was handed to the writer and has not come back yet. The right to write passes between this thread and the writer's: whoever
 * writes here waits for its turn, so that neither waits for a lock of the other.
 */
export class HandOver {
  readonly #writer: Writer;
  readonly #forget: () => void;
  #gathering: Gathering | null = null;
  #queue: Job[] = [];
  #flying = 0;
  #failure: Error | null = null;
  readonly #overlays: Pick<InFlight<unknown, unknown>, 'handOver' | 'land' | 'lose' | 'abandon'>[] = [];

  /** `forget` is called when something was not committed: what caches remember may never have been written. */
  constructor(writer: Writer, forget: () => void) {
    this.#writer = writer;
    this.#forget = forget;
  }

  /** Rows that readers of this thread must see before they are committed. */
  inFlight<K, V>(landed: (key: K, value: V) => void): InFlight<K, V> {
    const overlay = new InFlight(landed, () => this.isGathering);
    this.#overlays.push(overlay);
    return overlay;
  }

  get isGathering(): boolean {
    return this.#gathering !== null;
  }

  /** False when nothing gathers changes: then they have to be made at once. */
  gathers(text: string, values: readonly SQLInputValue[]): boolean {
    this.#gathering?.add(text, values);
    return this.#gathering !== null;
  }

  /** Has everything that `work` writes committed in one transaction. Resolves with the time that took, ms. */
  give(work: () => void): Promise<number> {
    const gathering = new Gathering();
    this.#gathering = gathering;
    try {
      work();
    } catch (error) {
      for (const overlay of this.#overlays) overlay.abandon();
      this.#forget();
      throw error;
    } finally {
      this.#gathering = null;
    }
    for (const overlay of this.#overlays) overlay.handOver();
    return new Promise((resolve, reject) => {
      this.#queue.push({ changes: gathering.changes, resolve, reject });
      this.#next();
    });
  }

  /** Runs `work`, which writes at once, when nothing flies. */
  turn<T>(work: () => T): Promise<T> {
    return new Promise((resolve, reject) => {
      const run = (): void => {
        try {
          resolve(work());
        } catch (error) {
          reject(error);
        }
      };
      this.#queue.push({ run });
      this.#next();
    });
  }

  /** Blocks until everything that was handed over is committed; throws when it was not. */
  settle(): void {
    const turns = this.#queue.filter((job) => 'run' in job);
    for (const job of this.#queue) if ('changes' in job) this.#fly(job);
    this.#queue = turns;
    this.quiet();
    if (this.#failure !== null) throw this.#failure;
  }

  /** Blocks until nothing flies, whatever came of it. */
  quiet(): void {
    if (this.#flying > 0) this.#writer.settle();
  }

  /** After a failure, when memory was dropped. */
  resume(): void {
    this.#failure = null;
    this.#writer.resume();
  }

  close(): Promise<void> {
    return this.#writer.close();
  }

  #next(): void {
    for (let job = this.#queue[0]; job !== undefined; job = this.#queue[0]) {
      if ('run' in job && this.#flying > 0) return;
      this.#queue.shift();
      if ('run' in job) job.run();
      else this.#fly(job);
    }
  }

  #fly({ changes, resolve, reject }: Extract<Job, { changes: Changes }>): void {
    this.#flying += 1;
    this.#writer.write(changes, (error, ms) => {
      this.#flying -= 1;
      for (const overlay of this.#overlays) error === null ? overlay.land() : overlay.lose();
      if (error === null) resolve(ms);
      else {
        this.#failure = error;
        this.#forget();
        reject(error);
      }
      this.#next();
    });
  }
}
