import { arrivalReceived } from './arrival-received.ts';
import type { Input } from './owner.ts';

/** A record of which something lives in memory only. */
export interface Held {
  readonly offset: number;
  readonly position: number;
  /** As it was received. */
  readonly bytes: number;
  /** When the broker appended it, ms. */
  readonly at: number;
  /** Of a new event that waits for its decision, ms; else null. */
  readonly receivedAt: number | null;
}

/** The records that a new owner would have to read again, oldest first. */
export class HeldRecords {
  #records: Held[] = [];
  #bytes = 0;

  get bytes(): number {
    return this.#bytes;
  }
  get first(): Held | null {
    return this.#records[0] ?? null;
  }

  add(input: Input): void {
    const { offset, at, entry, raw } = input;
    const receivedAt = arrivalReceived(input);
    this.#records.push({ offset, position: entry.position, bytes: raw.length, at, receivedAt });
    this.#bytes += raw.length;
  }

  /** Takes out the oldest ones up to the first above this position. */
  release(settled: number): Held[] {
    const unsettled = this.#records.findIndex(({ position }) => position > settled);
    const released = this.#records.splice(0, unsettled === -1 ? this.#records.length : unsettled);
    for (const { bytes } of released) this.#bytes -= bytes;
    return released;
  }
}
