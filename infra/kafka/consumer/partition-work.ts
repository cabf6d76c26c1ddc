import { Fault } from '#domain/fault.ts';
import { known } from '#domain/known.ts';
import type { Commit } from '#infra/kafka/owner/commits.ts';
import { type Input, type Owner, RECORDS_AT_ONCE } from '#infra/kafka/owner/owner.ts';
import type { Fetched } from '#infra/kafka/owner/wire.ts';
import { PartitionBuffer } from './partition-buffer.ts';
import type { PartitionControl } from './partition-control.ts';

export interface PartitionWorkOptions {
  readonly control: PartitionControl;
  readonly openOwner: () => Owner;
  readonly read: (records: readonly Fetched[]) => Promise<readonly Input[]>;
  /** Told where a batch has ended that is saved and sent. */
  readonly done: (commit: Commit) => void;
  /** Told what went wrong; how long to rest before all is opened anew, ms. */
  readonly failed: (error: unknown, failures: number) => number;
  /** Resolves when who worked on this partition before in this process is out of the way. */
  readonly before: Promise<unknown>;
}

/** Values of records stepped at once, as they were received. Saved and packed they may take several times as much. */
const BATCH_BYTES = 8 * 2 ** 20;
/** Records waiting while a batch is processed. */
const WAITING = { records: 2 * RECORDS_AT_ONCE, bytes: 2 * BATCH_BYTES };

const TOO_LARGE = 'The record leads to more than the store takes at once';
const isTooLarge = (error: unknown): boolean => error instanceof Fault && error.kind === 'too-large';

/** One partition at work: its records go through its owner in batches, one at a time, whatever other partitions do. */
export class PartitionWork {
  readonly #options: PartitionWorkOptions;
  readonly #buffer: PartitionBuffer;
  #owner: Owner | null = null;
  #running: Promise<void> | null = null;
  #failures = 0;
  /** Whether the owner has work without further records. */
  #more = false;
  /** Smaller after a batch that was too large, until as many are done as there were in a whole one. */
  #most = RECORDS_AT_ONCE;
  #doneSmall = 0;
  #batch: readonly Fetched[] = [];
  /** Offset of a record that is too large by itself: it goes to the dead letters. */
  #tooLarge: number | null = null;
  #isOver = false;
  #isLost = false;
  #wake: NodeJS.Timeout | undefined;

  constructor(options: PartitionWorkOptions) {
    this.#options = options;
    this.#buffer = new PartitionBuffer(options.control, WAITING);
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
    if (this.#isOver || !this.#buffer.push(records)) return false;
    this.#running ??= this.#run();
    return true;
  }

  /** Takes no further batch; resolves when the one at hand is done. */
  async stop(): Promise<void> {
    this.#isOver = true;
    clearTimeout(this.#wake);
    this.#owner?.stop?.();
    this.#options.control.resume();
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
      while (!this.#isOver && (this.#more || this.#buffer.size > 0)) {
        const first = known(this.#buffer.first, 'first offset');
        try {
          await this.#open(first);
          await this.#takeBatch();
        } catch (error) {
          if (isTooLarge(error)) this.#takeLess();
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
    if (from !== first && !this.#isOver) this.#buffer.restart(from);
  }

  async #takeBatch(): Promise<void> {
    const records = this.#more ? [] : this.#buffer.take({ records: this.#most, bytes: BATCH_BYTES });
    if ((records.length === 0 && !this.#more) || this.#isOver) return;
    const last = records.at(-1);
    this.#batch = records;
    const inputs = (await this.#options.read(records)).map((input) => this.#withoutTooLarge(input));
    const { metadata, resume, more = false, back = null } = await known(this.#owner, 'owner').take(inputs, this.#most);
    this.#failures = 0;
    this.#more = more;
    this.#takeMore();
    const offset = resume ?? (last === undefined ? null : Number(last.offset) + 1);
    if (!this.#isLost && offset !== null) this.#options.done({ offset, metadata });
    if (back !== null && !this.#isOver) this.#buffer.restart(back);
  }

  /** A batch that the store does not take at once is cut in two, down to one record, which cannot be taken at all. */
  #takeLess(): void {
    const size = this.#batch.length === 0 ? this.#most : Math.min(this.#batch.length, this.#most);
    if (this.#most === 1) this.#tooLarge = Number(this.#batch[0]?.offset ?? Number.NaN);
    this.#most = Math.max(1, size >> 1);
    this.#doneSmall = 0;
  }

  #takeMore(): void {
    if (this.#most === RECORDS_AT_ONCE) return;
    this.#doneSmall += Math.max(1, this.#batch.length);
    if (this.#doneSmall >= RECORDS_AT_ONCE) this.#most = RECORDS_AT_ONCE;
  }

  #withoutTooLarge(input: Input): Input {
    return input.offset === this.#tooLarge ? { ...input, fault: TOO_LARGE } : input;
  }

  /** The partition stands still for a while and is opened anew. */
  #rest(first: number, error: unknown): void {
    this.#owner = null;
    this.#more = false;
    if (this.#isOver) return;
    // A batch that is too large is tried again with fewer records.
    this.#failures = isTooLarge(error) ? 1 : this.#failures + 1;
    const restMs = this.#options.failed(error, this.#failures);
    this.#buffer.restart(first);
    this.#buffer.pause();
    this.#wake = setTimeout(() => this.#buffer.resume(), restMs).unref();
  }
}
