import type { Buffer } from 'node:buffer';
import type { Fetched } from '#infra/kafka/owner/wire.ts';

/** Encoded bytes; decoded values use about five times as much memory. */
const BUDGET = 8 * 2 ** 20;

interface CachedValue {
  readonly value: unknown;
  readonly bytes: number;
  /** Readers that have not read it. */
  unread: number;
}

/** Values of topics that several processors of this process read: the first reader decodes, the others share the result, which no reader changes. */
export class DecodedValueCache {
  readonly #readers: ReadonlyMap<string, number>;
  readonly #budget: number;
  readonly #cached = new Map<string, CachedValue>();
  #bytes = 0;

  /** `inputs`: the topic of each processor that runs here. */
  constructor(inputs: readonly string[], budget = BUDGET) {
    const readers = new Map<string, number>();
    for (const topic of inputs) readers.set(topic, (readers.get(topic) ?? 0) + 1);
    this.#readers = readers;
    this.#budget = budget;
  }

  /** Returns a reader for the records of one partition. A value that cannot be decoded throws for every reader. */
  reader(topic: string, partition: number, decode: (value: Buffer) => unknown) {
    const readers = this.#readers.get(topic) ?? 1;
    if (readers === 1) return decode;
    return (value: Buffer, { offset, timestamp }: Fetched): unknown => {
      // A recreated topic starts its offsets again, but not its append times.
      const key = `${topic}/${partition}/${offset}/${timestamp}`;
      const known = this.#cached.get(key);
      if (known === undefined) return this.#keep(key, decode(value), value.length, readers - 1);
      known.unread -= 1;
      if (known.unread === 0) this.#drop(key);
      return known.value;
    };
  }

  #keep(key: string, value: unknown, bytes: number, left: number): unknown {
    this.#cached.set(key, { value, bytes, unread: left });
    this.#bytes += bytes;
    for (const oldest of this.#cached.keys()) {
      if (this.#bytes <= this.#budget) break;
      this.#drop(oldest);
    }
    return value;
  }

  #drop(key: string): void {
    this.#bytes -= this.#cached.get(key)?.bytes ?? 0;
    this.#cached.delete(key);
  }
}
