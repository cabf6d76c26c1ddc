import type { Flights } from './commit-queue.ts';

interface Row<K, V> {
  readonly key: K;
  /** As what is being gathered leaves it; undefined when that does not change it. */
  open: V | undefined;
  /** The newest that flies, and its flight; undefined when none does. */
  flying: V | undefined;
  flight: number;
}

/** Rows as they will stand when what was handed to the writer is in the file. Each is looked up once per change, however far that comes. */
export class InFlight<K, V extends {}> implements Flights {
  readonly #rows = new Map<K, Row<K, V>>();
  #open: Row<K, V>[] = [];
  readonly #flights = new Map<number, readonly Row<K, V>[]>();
  readonly #isGathering: () => boolean;

  constructor(isGathering: () => boolean) {
    this.#isGathering = isGathering;
  }

  /** The newest; undefined when nothing in flight changes the row. */
  get(key: K): V | undefined {
    const row = this.#rows.get(key);
    return row && (row.open ?? row.flying);
  }

  /** What is written while nothing is gathered is in the file at once. */
  set(key: K, value: V): void {
    if (this.#isGathering()) this.#setOpen(key, value);
  }

  handOver(flight: number): void {
    if (this.#open.length === 0) return;
    for (const row of this.#open) {
      row.flying = row.open;
      row.open = undefined;
      row.flight = flight;
    }
    this.#flights.set(flight, this.#open);
    this.#open = [];
  }

  land(flight: number): void {
    this.#end(flight);
  }
  lose(flight: number): void {
    this.#end(flight);
  }
  abandon(): void {
    for (const row of this.#open) {
      row.open = undefined;
      if (row.flying === undefined) this.#rows.delete(row.key);
    }
    this.#open = [];
  }

  #setOpen(key: K, value: V): void {
    const row = this.#rows.get(key);
    if (row === undefined) {
      const made: Row<K, V> = { key, open: value, flying: undefined, flight: 0 };
      this.#rows.set(key, made);
      this.#open.push(made);
    } else {
      if (row.open === undefined) this.#open.push(row);
      row.open = value;
    }
  }

  #end(flight: number): void {
    for (const row of this.#flights.get(flight) ?? []) {
      if (row.flight !== flight) continue;
      row.flying = undefined;
      if (row.open === undefined) this.#rows.delete(row.key);
    }
    this.#flights.delete(flight);
  }
}
