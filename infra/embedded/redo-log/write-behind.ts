import type { BatchListener } from './commit-queue.ts';

interface PendingRow<K, V> {
  readonly key: K;
  /** Value after the batch being recorded; undefined when that does not change it. */
  open: V | undefined;
  /** The newest submitted value and its batch; undefined when none is pending. */
  pending: V | undefined;
  batch: number;
}

/** Rows as they will be when all submitted batches are applied. One look-up per change. */
export class WriteBehindCache<K, V extends {}> implements BatchListener {
  readonly #rows = new Map<K, PendingRow<K, V>>();
  #open: PendingRow<K, V>[] = [];
  readonly #batches = new Map<number, readonly PendingRow<K, V>[]>();
  readonly #isRecording: () => boolean;

  constructor(isRecording: () => boolean) {
    this.#isRecording = isRecording;
  }

  /** The newest value; undefined when no pending batch changes the row. */
  get(key: K): V | undefined {
    const row = this.#rows.get(key);
    return row && (row.open ?? row.pending);
  }

  get size(): number {
    return this.#rows.size;
  }

  *entries(): IterableIterator<readonly [key: K, value: V]> {
    for (const { key, open, pending } of this.#rows.values()) {
      const value = open ?? pending;
      if (value !== undefined) yield [key, value];
    }
  }

  /** Does nothing while no batch is recorded: then the write is in the file at once. */
  set(key: K, value: V): void {
    if (this.#isRecording()) this.#setOpen(key, value);
  }

  submitted(batch: number): void {
    if (this.#open.length === 0) return;
    for (const row of this.#open) {
      row.pending = row.open;
      row.open = undefined;
      row.batch = batch;
    }
    this.#batches.set(batch, this.#open);
    this.#open = [];
  }

  applied(batch: number): void {
    this.#end(batch);
  }
  lost(batch: number): void {
    this.#end(batch);
  }
  discarded(): void {
    for (const row of this.#open) {
      row.open = undefined;
      if (row.pending === undefined) this.#rows.delete(row.key);
    }
    this.#open = [];
  }

  #setOpen(key: K, value: V): void {
    const row = this.#rows.get(key);
    if (row === undefined) {
      const made: PendingRow<K, V> = { key, open: value, pending: undefined, batch: 0 };
      this.#rows.set(key, made);
      this.#open.push(made);
    } else {
      if (row.open === undefined) this.#open.push(row);
      row.open = value;
    }
  }

  #end(batch: number): void {
    for (const row of this.#batches.get(batch) ?? []) {
      if (row.batch !== batch) continue;
      row.pending = undefined;
      if (row.open === undefined) this.#rows.delete(row.key);
    }
    this.#batches.delete(batch);
  }
}
