import { ulidTime } from '#domain/access/ulid-time.ts';
import { isNewArrival } from '#domain/correlation/grouping/arrival-queue.ts';
import type { CorrelationInput } from '#domain/correlation/records.ts';
import type { Input } from './owner.ts';

/** Returns the time of receipt of a record's new event, ms: its id contains it. Null for all other records. */
export const arrivalReceived = ({ entry, fault }: Pick<Input, 'entry' | 'fault'>): number | null => {
  const value = entry.value as CorrelationInput | null;
  return fault === null && value !== null && isNewArrival(value) ? ulidTime(value.arrival.eventId) : null;
};

/** A record of which something lives in memory only. */
export interface HeldRecord {
  readonly offset: number;
  readonly position: number;
  /** Size as received. */
  readonly bytes: number;
  /** Time when the broker appended it, ms. */
  readonly at: number;
  /** Receipt time of a new event that waits for its decision, ms; else null. */
  readonly receivedAt: number | null;
}

/** The records that a new owner would have to read again, oldest first. */
export class HeldRecords {
  #records: HeldRecord[] = [];
  #bytes = 0;

  get bytes(): number {
    return this.#bytes;
  }
  get first(): HeldRecord | null {
    return this.#records[0] ?? null;
  }

  add(input: Input): void {
    const { offset, at, entry, raw } = input;
    const receivedAt = arrivalReceived(input);
    this.#records.push({ offset, position: entry.position, bytes: raw.length, at, receivedAt });
    this.#bytes += raw.length;
  }

  /** Removes the oldest ones up to the first above this position. */
  release(settled: number): HeldRecord[] {
    const unsettled = this.#records.findIndex(({ position }) => position > settled);
    const released = this.#records.splice(0, unsettled === -1 ? this.#records.length : unsettled);
    for (const { bytes } of released) this.#bytes -= bytes;
    return released;
  }
}
