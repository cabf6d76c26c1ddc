import type { Commit } from './commits.ts';
import type { Feed } from './feed.ts';
import { Intake } from './intake.ts';
import type { Input, Owner } from './owner.ts';
import type { Fetched } from './wire.ts';

export interface PartitionWorkOptions {
  readonly feed: Feed;
  readonly openOwner: () => Owner;
  readonly read: (records: readonly Fetched[]) => Promise<readonly Input[]>;
  /** Told where a batch has ended that is saved and sent. */
  readonly done: (commit: Commit) => void;
  /** Told what went wrong; how long to rest before all is opened anew, ms. */
  readonly failed: (error: unknown, failures: number) => number;
  /** Resolves when who worked on this partition before in this process is out of the way. */
  readonly before: Promise<unknown>;
}

/** Records stepped at once: they share a journal page and a save. */
const BATCH_RECORDS = 1_000;
/** Records that wait while a batch is worked on. */
const WAITING_RECORDS = 2 * BATCH_RECORDS;

/** One partition at work: its records go through its owner in batches, one at a time, whatever other partitions do. */
export class PartitionWork {
  readonly #options: PartitionWorkOptions;
  readonly #intake: Intake;
  #owner: Owner | null = null;
  #running: Promise<void> | null = null;
  #failures = 0;
  #isOver = false;
  #isLost = false;
  #wake: NodeJS.Timeout | undefined;

  constructor(options: PartitionWorkOptions) {
    this.#options = options;
    this.#intake = new Intake(options.feed, WAITING_RECORDS);
  }

  /** Null until it is open. */
  get owner(): Owner | null {
    return this.#owner;
  }
  get isFailing(): boolean {
    return this.#failures > 0;
  }

  /** False when the records have to be fetched again. */
  push(records: readonly Fetched[]): boolean {
    if (this.#isOver || !this.#intake.push(records)) return false;
    this.#running ??= this.#run();
    return true;
  }

  /** Takes no further batch; resolves when the one at hand is done. */
  async stop(): Promise<void> {
    this.#isOver = true;
    clearTimeout(this.#wake);
    this.#options.feed.resume();
    await this.#running;
  }

  /** The same, for a partition that may be another's by now: nothing is said of where the batch at hand ends. */
  lose(): Promise<void> {
    this.#isLost = true;
    return this.stop();
  }

  async #run(): Promise<void> {
    await this.#options.before;
    try {
      while (!this.#isOver && this.#intake.size > 0) {
        const first = this.#intake.first!;
        try {
          await this.#open(first);
          await this.#takeBatch();
        } catch (error) {
          this.#rest(first, error);
        }
      }
    } finally {
      this.#running = null;
    }
  }

  /** An owner may have to read again what comes before, or know already what waits. */
  async #open(first: number): Promise<void> {
    if (this.#owner !== null) return;
    const owner = this.#options.openOwner();
    const from = await owner.open();
    this.#owner = owner;
    if (from !== first && !this.#isOver) this.#intake.restart(from);
  }

  async #takeBatch(): Promise<void> {
    const records = this.#intake.take(BATCH_RECORDS);
    if (records.length === 0 || this.#isOver) return;
    const inputs = await this.#options.read(records);
    const metadata = await this.#owner!.take(inputs);
    this.#failures = 0;
    if (!this.#isLost) this.#options.done({ offset: Number(records.at(-1)!.offset) + 1, metadata });
  }

  /** The partition stands still for a while and is opened anew. */
  #rest(first: number, error: unknown): void {
    this.#owner = null;
    if (this.#isOver) return;
    this.#failures += 1;
    const restMs = this.#options.failed(error, this.#failures);
    this.#intake.restart(first);
    this.#intake.rest();
    this.#wake = setTimeout(() => this.#intake.wake(), restMs).unref();
  }
}
