import type { Fetched } from '#infra/kafka/owner/wire.ts';
import type { Feed } from './partition-control.ts';

/** So many records, or so many bytes of values. */
export interface Amount {
  readonly records: number;
  readonly bytes: number;
}

const bytesOf = ({ value }: Fetched): number => value?.length ?? 0;

/** Records of one partition between the fetch and its owner: a bounded queue, in the order of offsets and without gaps. */
export class Intake {
  readonly #feed: Feed;
  readonly #most: Amount;
  #queue: Fetched[] = [];
  #bytes = 0;
  /** Offset of the record that has to come next; null before the first. */
  #expected: number | null = null;
  /** Where records were missing the last time. */
  #missing: number | null = null;
  #isFull = false;
  #rests = false;

  /** `most`: what waits before no more is fetched. */
  constructor(feed: Feed, most: Amount) {
    this.#feed = feed;
    this.#most = most;
  }

  get size(): number {
    return this.#queue.length;
  }
  /** Offset of the first record that waits. */
  get first(): number | null {
    return this.#queue.length === 0 ? this.#expected : Number(this.#queue[0]!.offset);
  }

  /** False when the records are not wanted: what is fetched next must begin elsewhere, or later. */
  push(records: readonly Fetched[]): boolean {
    const first = records.length === 0 ? null : Number(records[0]!.offset);
    if (first === null || this.#rests) return false;
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

  /** What was fetched before a seek was heard of leaves a gap once; what is missing a second time is not in the log any more. */
  #isGone(offset: number): boolean {
    if (this.#missing === offset) return true;
    this.#missing = offset;
    this.#feed.seek(offset);
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

  /** Forgets what waits and has everything from this offset on fetched again. */
  restart(offset: number): void {
    this.#queue = [];
    this.#bytes = 0;
    this.#expected = offset;
    this.#missing = null;
    this.#feed.seek(offset);
    this.#regulate();
  }

  /** Nothing is fetched until `wake`. */
  rest(): void {
    this.#rests = true;
    this.#feed.pause();
  }
  wake(): void {
    this.#rests = false;
    if (!this.#isFull) this.#feed.resume();
  }

  #regulate(): void {
    const share = Math.max(this.#queue.length / this.#most.records, this.#bytes / this.#most.bytes);
    const isFull = this.#isFull ? share > 0.5 : share >= 1;
    if (isFull === this.#isFull) return;
    this.#isFull = isFull;
    if (isFull) this.#feed.pause();
    else if (!this.#rests) this.#feed.resume();
  }
}
