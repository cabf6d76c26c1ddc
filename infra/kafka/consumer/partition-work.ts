import { setTimeout as pause } from 'node:timers/promises';
import { assertDefined, firstItem } from '#domain/assert.ts';
import { Fault } from '#domain/fault.ts';
import type { Commit } from '#infra/kafka/owner/commits.ts';
import { type Input, type Owner, RECORDS_AT_ONCE } from '#infra/kafka/owner/owner.ts';
import type { Fetched } from '#infra/kafka/owner/wire.ts';
import type { PartitionControl } from './partition-control.ts';

/** A number of records and of bytes of their values. */
interface Amount {
  readonly records: number;
  readonly bytes: number;
}

const bytesOf = ({ value }: Fetched): number => value?.length ?? 0;

/**
 * Fetched records of one partition that its owner has not processed: a bounded queue, in the order of offsets and
 * without gaps.
 */
export class PartitionBuffer {
  readonly #control: PartitionControl;
  readonly #most: Amount;
  #queue: Fetched[] = [];
  #bytes = 0;
  /** Offset of the expected next record; null before the first. */
  #expected: number | null = null;
  /** Offset of the last gap. */
  #missing: number | null = null;
  #isFull = false;
  #isPaused = false;

  /** `most`: the amount at which fetching pauses. */
  constructor(control: PartitionControl, most: Amount) {
    this.#control = control;
    this.#most = most;
  }

  get size(): number {
    return this.#queue.length;
  }
  /** Offset of the first queued record. */
  get first(): number | null {
    const [first] = this.#queue;
    return first === undefined ? this.#expected : Number(first.offset);
  }

  /** False when the records are dropped: the next fetch must begin at another offset, or later. */
  push(records: readonly Fetched[]): boolean {
    if (records.length === 0 || this.#isPaused) return false;
    const first = Number(firstItem(records).offset);
    this.#expected ??= first;
    if (first > this.#expected) {
      if (!this.#isGone(this.#expected)) return false;
      this.#expected = first;
    }
    this.#missing = null;
    for (const record of records) {
      const offset = Number(record.offset);
      if (offset < this.#expected) continue;
      this.#queue.push(record);
      this.#bytes += bytesOf(record);
      this.#expected = offset + 1;
    }
    this.#regulate();
    return true;
  }

  /** A gap right after a seek is stale data; a repeated gap means that the log no longer has the offset. */
  #isGone(offset: number): boolean {
    if (this.#missing === offset) return true;
    this.#missing = offset;
    this.#control.seek(offset);
    return false;
  }

  /** Removes the next records; one at least, regardless of its size. */
  take(most: Amount): Fetched[] {
    let count = 0;
    let bytes = 0;
    for (const record of this.#queue) {
      const more = bytes + bytesOf(record);
      if (count === most.records || (count > 0 && more > most.bytes)) break;
      count += 1;
      bytes = more;
    }
    const taken = this.#queue.splice(0, count);
    this.#bytes -= bytes;
    this.#regulate();
    return taken;
  }

  /** Empties the queue and fetches again from this offset. */
  restart(offset: number): void {
    this.#queue = [];
    this.#bytes = 0;
    this.#expected = offset;
    this.#missing = null;
    this.#control.seek(offset);
    this.#regulate();
  }

  /** Stops fetching until `resume`. */
  pause(): void {
    this.#isPaused = true;
    this.#control.pause();
  }
  resume(): void {
    this.#isPaused = false;
    if (!this.#isFull) this.#control.resume();
  }

  #regulate(): void {
    const share = Math.max(this.#queue.length / this.#most.records, this.#bytes / this.#most.bytes);
    const isFull = this.#isFull ? share > 0.5 : share >= 1;
    if (isFull === this.#isFull) return;
    this.#isFull = isFull;
    if (isFull) this.#control.pause();
    else if (!this.#isPaused) this.#control.resume();
  }
}

export interface PartitionWorkOptions {
  /** Records of a batch. */
  readonly atOnce?: number | undefined;
  readonly control: PartitionControl;
  readonly openOwner: () => Owner;
  readonly read: (records: readonly Fetched[]) => Promise<readonly Input[]>;
  /** Receives the end of a batch that is saved and sent. */
  readonly done: (commit: Commit) => void;
  /** Receives the error; returns the pause before everything is opened again, ms. */
  readonly failed: (error: unknown, failures: number) => number;
  /** Resolves when the previous work on this partition in this process has ended. */
  readonly before: Promise<unknown>;
}

/** Total size of values processed at once, as received. Saved and packed they may be several times as large. */
const BATCH_BYTES = 8 * 2 ** 20;
/** Size of the values waiting while a batch is processed; of records there are twice as many as in one. */
const WAITING_BYTES = 2 * BATCH_BYTES;

/** Interval at which waiting work checks if it is to end. */
const LOOK_MS = 250;

const TOO_LARGE = 'The record produces more writes than the store accepts at once';
const isTooLarge = (error: unknown): boolean => error instanceof Fault && error.kind === 'too-large';

/** One partition at work: its records pass its owner in batches, one at a time, independent of other partitions. */
export class PartitionWork {
  readonly #options: PartitionWorkOptions;
  readonly #buffer: PartitionBuffer;
  #owner: Owner | null = null;
  #running: Promise<void> | null = null;
  #failures = 0;
  /** True if the owner has work without further records. */
  #more = false;
  /** Smaller after a batch that was too large, until as many are done as there were in a whole one. */
  #most: number;
  readonly #atOnce: number;
  #doneSmall = 0;
  #batch: readonly Fetched[] = [];
  /** Offset of a record that is too large by itself: it becomes a dead letter. */
  #tooLarge: number | null = null;
  #isOver = false;
  #isLost = false;
  #wake: NodeJS.Timeout | undefined;

  constructor(options: PartitionWorkOptions) {
    this.#options = options;
    this.#atOnce = options.atOnce ?? RECORDS_AT_ONCE;
    this.#most = this.#atOnce;
    this.#buffer = new PartitionBuffer(options.control, { records: 2 * this.#atOnce, bytes: WAITING_BYTES });
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

  /** Starts no further batch; resolves when the current one is done. */
  async stop(): Promise<void> {
    this.#isOver = true;
    clearTimeout(this.#wake);
    this.#owner?.stop?.();
    this.#options.control.resume();
    await this.#running;
  }

  /** The same, for a partition that may be another's by now: the end of the current batch is not reported. */
  lose(): Promise<void> {
    this.#isLost = true;
    return this.stop();
  }

  async #run(): Promise<void> {
    await this.#options.before;
    try {
      while (!this.#isOver && (this.#more || this.#buffer.size > 0)) {
        const first = assertDefined(this.#buffer.first, 'first offset');
        try {
          await this.#open(first);
          await this.#gather();
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

  /** An owner may have to read earlier records again, or know waiting ones already. */
  async #open(first: number): Promise<void> {
    if (this.#owner !== null) return;
    const owner = this.#options.openOwner();
    const from = await owner.open();
    this.#owner = owner;
    if (from !== first && !this.#isOver) this.#buffer.restart(from);
  }

  async #gather(): Promise<void> {
    const isWorth = (): boolean => !this.#isOver && !this.#more && this.#buffer.size < this.#most;
    for (let ms = 0; isWorth(); await pause(Math.min(ms, LOOK_MS))) {
      ms = this.#owner?.gatherMs?.() ?? 0;
      if (ms <= 0) return;
    }
  }

  async #takeBatch(): Promise<void> {
    const records = this.#more ? [] : this.#buffer.take({ records: this.#most, bytes: BATCH_BYTES });
    if ((records.length === 0 && !this.#more) || this.#isOver) return;
    const last = records.at(-1);
    this.#batch = records;
    const inputs = (await this.#options.read(records)).map((input) => this.#withoutTooLarge(input));
    const {
      metadata,
      resume,
      more = false,
      back = null,
    } = await assertDefined(this.#owner, 'owner').take(inputs, this.#most);
    this.#failures = 0;
    this.#more = more;
    this.#takeMore();
    const offset = resume ?? (last === undefined ? null : Number(last.offset) + 1);
    if (!this.#isLost && offset !== null) this.#options.done({ offset, metadata });
    if (back !== null && !this.#isOver) this.#buffer.restart(back);
  }

  /** A batch that the store does not accept at once is cut in two, down to one record, which is then refused. */
  #takeLess(): void {
    const size = this.#batch.length === 0 ? this.#most : Math.min(this.#batch.length, this.#most);
    if (this.#most === 1) this.#tooLarge = Number(this.#batch[0]?.offset ?? Number.NaN);
    this.#most = Math.max(1, size >> 1);
    this.#doneSmall = 0;
  }

  #takeMore(): void {
    if (this.#most === this.#atOnce) return;
    this.#doneSmall += Math.max(1, this.#batch.length);
    if (this.#doneSmall >= this.#atOnce) this.#most = this.#atOnce;
  }

  #withoutTooLarge(input: Input): Input {
    return input.offset === this.#tooLarge ? { ...input, fault: TOO_LARGE } : input;
  }

  /** The partition pauses for a while and is opened again. */
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
