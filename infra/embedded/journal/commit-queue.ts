import type { SQLInputValue } from 'node:sqlite';
import type { Refused } from './replay.ts';
import { type Changes, Gathering } from './statements.ts';
import type { Writer } from './writer.ts';

interface Give {
  readonly changes: Changes;
  readonly flight: number;
  readonly resolve: (ms: number) => void;
  readonly reject: (error: Error) => void;
}
/** What flies; its changes are the writer's now, and would only grow old in this thread's memory. */
interface Flight {
  readonly flight: number;
  readonly steps: number;
}
interface Turn {
  readonly run: () => void;
  readonly reject: (error: Error) => void;
}
interface Waiter {
  /** Flights through this number are waited for. */
  readonly through: number;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/** Keeps rows as they will stand when what was handed to the writer is in the file. Flights are numbered from 1 on and land in this order. */
export interface Flights {
  /** What was gathered flies. */
  handOver(flight: number): void;
  /** The flight is in the file. */
  land(flight: number): void;
  /** The flight will never be in the file. What older ones made of its rows is found there when they have landed. */
  lose(flight: number): void;
  /** What was gathered will not be handed over. */
  abandon(): void;
}

/** Changes that are kept but not in the database yet; beyond, what is handed over is answered when there are fewer again. */
const MAX_UNAPPLIED = 150_000;

/**
 * What was handed to the writer and is not in the database yet. The right to write passes between this thread and the writer's:
 * whoever writes here waits for its turn, so that neither waits for a lock of the other.
 */
export class HandOver {
  readonly #writer: Writer;
  readonly #forget: () => void;
  readonly #failed: (error: Error) => void;
  #gathering: Gathering | null = null;
  #queue: (Give | Turn)[] = [];
  #failure: Error | null = null;
  #lastGiven = 0;
  #lastKept = 0;
  #lastApplied = 0;
  #flying = 0;
  #unapplied = 0;
  #waiters: Waiter[] = [];
  #held: (() => void)[] = [];
  readonly #overlays: Flights[] = [];

  /**
   * `forget` is called when something will never be in the database: what caches remember may be of it. `refused` is told of
   * what was kept and yet cannot be brought to the database, `failed` when that is so for all of it until `resume`.
   */
  constructor(
    makeWriter: (told: { failed(error: Error): void; refused(all: readonly Refused[]): void }) => Writer,
    told: { forget: () => void; refused: (all: readonly Refused[]) => void; failed: (error: Error) => void },
  ) {
    this.#writer = makeWriter({ failed: (error) => this.#fail(error), refused: told.refused });
    this.#forget = told.forget;
    this.#failed = told.failed;
  }

  /** Tells what `make` returns of all that is handed over from now on. */
  follow<F extends Flights>(make: (isGathering: () => boolean) => F): F {
    const overlay = make(() => this.isGathering);
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

  /** Has everything that `work` writes kept as a whole. Resolves when it would survive a loss of power, with the time that took, ms. */
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
    const flight = ++this.#lastGiven;
    for (const overlay of this.#overlays) overlay.handOver(flight);
    return new Promise((resolve, reject) => {
      this.#queue.push({ changes: gathering.changes, flight, resolve, reject });
      this.#next();
    });
  }

  /** Runs `work`, which writes at once, when everything given before it is in the database. */
  turn<T>(work: () => T): Promise<T> {
    // Most of that is waited for while others still give; they are held up for the rest only.
    if (!this.isApplied) return this.applied().then(() => this.#inTurn(work));
    return this.#inTurn(work);
  }

  #inTurn<T>(work: () => T): Promise<T> {
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
    return this.#lastApplied >= this.#lastKept;
  }

  /** Resolves when everything that was kept so far is in the database. */
  applied(): Promise<void> {
    if (this.isApplied) return Promise.resolve();
    if (this.#failure !== null) return Promise.reject(this.#failure);
    this.#writer.hurry();
    return new Promise((resolve, reject) => this.#waiters.push({ through: this.#lastKept, resolve, reject }));
  }

  /** Blocks until everything that was handed over is in the database; throws when it is not. */
  settle(): void {
    const turns = this.#queue.filter((job) => 'run' in job);
    for (const job of this.#queue) if ('changes' in job) this.#fly(job);
    this.#queue = turns;
    this.quiet();
    if (this.#failure !== null) throw this.#failure;
  }

  /** Blocks until nothing flies, or the store fails. */
  quiet(): void {
    if (this.#flying > 0) this.#writer.settle();
  }

  /** After a failure, when memory is about to be read anew: resolves when it may be. Rejects when the store still fails. */
  async resume(): Promise<void> {
    this.#failure = null;
    this.#writer.resume();
    await this.applied();
    // What was read while a flight was lost and older ones had not landed may be of neither.
    this.#forget();
  }

  close(): Promise<void> {
    return this.#writer.close();
  }

  #next(): void {
    for (let job = this.#queue[0]; job !== undefined; job = this.#queue[0]) {
      if ('run' in job && this.#flying > 0) {
        this.#writer.hurry();
        return;
      }
      this.#queue.shift();
      if ('run' in job) job.run();
      else this.#fly(job);
    }
  }

  #fly({ changes, flight, resolve, reject }: Give): void {
    const flying: Flight = { flight, steps: changes.steps.length };
    this.#flying += 1;
    this.#unapplied += flying.steps;
    const began = performance.now();
    this.#writer.write(changes, {
      kept: (error) => {
        if (error === null) this.#kept(flight, () => resolve(performance.now() - began));
        else this.#lose(flying, error, reject);
      },
      applied: () => this.#land(flying),
    });
  }

  #kept(flight: number, answer: () => void): void {
    this.#lastKept = flight;
    this.#next();
    if (this.#unapplied <= MAX_UNAPPLIED) answer();
    else {
      this.#held.push(answer);
      this.#writer.hurry();
    }
  }

  #land({ flight, steps }: Flight): void {
    for (const overlay of this.#overlays) overlay.land(flight);
    this.#lastApplied = flight;
    this.#ended(steps);
    if (this.#unapplied <= MAX_UNAPPLIED) for (const resolve of this.#held.splice(0)) resolve();
    const waiters = this.#waiters;
    this.#waiters = waiters.filter(({ through }) => through > flight);
    for (const { through, resolve } of waiters) if (through <= flight) resolve();
    this.#next();
  }

  #lose({ flight, steps }: Flight, error: Error, reject: (error: Error) => void): void {
    for (const overlay of this.#overlays) overlay.lose(flight);
    this.#ended(steps);
    this.#failure = error;
    this.#forget();
    reject(error);
    this.#next();
  }

  #ended(steps: number): void {
    this.#flying -= 1;
    this.#unapplied -= steps;
  }

  /** What is kept stays kept, and is tried again by `resume`; nobody waits for it meanwhile. */
  #fail(error: Error): void {
    this.#failure = error;
    for (const { reject } of this.#waiters.splice(0)) reject(error);
    const [turns, gives] = [this.#queue.filter((job) => 'run' in job), this.#queue.filter((job) => 'changes' in job)];
    this.#queue = [];
    for (const { reject } of turns) reject(error);
    for (const job of gives) this.#fly(job);
    this.#failed(error);
  }
}
