import type { Buffer } from 'node:buffer';
import type { Fetched } from '#infra/kafka/owner/wire.ts';

/** Bytes as they were received; decoded they take about five times as much. */
const BUDGET = 8 * 2 ** 20;

interface Shared {
  readonly value: unknown;
  readonly bytes: number;
  /** Readers who have not read it. */
  left: number;
}

/** Values of topics that several processors of this process read: the first reader decodes, the others get the same, which nobody changes. */
export class SharedValues {
  readonly #readers: ReadonlyMap<string, number>;
  readonly #budget: number;
  readonly #shared = new Map<string, Shared>();
  #bytes = 0;

  /** `inputs`: the topic of each processor that runs here. */
  constructor(inputs: readonly string[], budget = BUDGET) {
    const readers = new Map<string, number>();
    for (const topic of inputs) readers.set(topic, (readers.get(topic) ?? 0) + 1);
    this.#readers = readers;
    this.#budget = budget;
  }

  /** For the records of one partition. A value that cannot be decoded throws for every reader. */
  reader(topic: string, partition: number, decode: (value: Buffer) => unknown) {
    const readers = this.#readers.get(topic) ?? 1;
    if (readers === 1) return decode;
    return (value: Buffer, { offset, timestamp }: Fetched): unknown => {
      // Offsets begin anew with a topic that is made anew, append times do not.
      const key = `${topic}/${partition}/${offset}/${timestamp}`;
      const known = this.#shared.get(key);
      if (known === undefined) return this.#keep(key, decode(value), value.length, readers - 1);
      known.left -= 1;
      if (known.left === 0) this.#drop(key);
      return known.value;
    };
  }

  #keep(key: string, value: unknown, bytes: number, left: number): unknown {
    this.#shared.set(key, { value, bytes, left });
    this.#bytes += bytes;
    for (const oldest of this.#shared.keys()) {
      if (this.#bytes <= this.#budget) break;
      this.#drop(oldest);
    }
    return value;
  }

  #drop(key: string): void {
    this.#bytes -= this.#shared.get(key)?.bytes ?? 0;
    this.#shared.delete(key);
  }
}
