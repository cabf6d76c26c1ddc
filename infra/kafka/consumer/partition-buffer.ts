import { firstItem } from '#domain/known.ts';
import type { Fetched } from '#infra/kafka/owner/wire.ts';
import type { PartitionControl } from './partition-control.ts';

/** A number of records and of bytes of their values. */
export interface Amount {
  readonly records: number;
  readonly bytes: number;
}

const bytesOf = ({ value }: Fetched): number => value?.length ?? 0;

/** Fetched records of one partition that its owner has not taken: a bounded queue, in the order of offsets and without gaps. */
export class PartitionBuffer {
  readonly #control: PartitionControl;
  readonly #most: Amount;
  #queue: Fetched[] = [];
  #bytes = 0;
  /** Offset of the record that has to come next; null before the first. */
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

  /** Takes out the next records; one at least, however large it is. */
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
