import type { Incoming, Receipt } from '#domain/event/incoming.ts';

/** One append on its way: all its records go through in one batch. */
export interface Pending {
  readonly tenant: string;
  readonly records: readonly Incoming[];
  readonly resolve: (receipts: readonly Receipt[]) => void;
  readonly reject: (error: unknown) => void;
}

/** Appends that wait for the next batch, bounded by the number of records. Singles go in front of bulks. */
export class RequestQueue {
  readonly #limit: number;
  #singles: Pending[] = [];
  #bulks: Pending[] = [];
  #records = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }
  get records(): number {
    return this.#records;
  }

  /** False when the queue is full; an append that is alone is always taken. */
  add(pending: Pending): boolean {
    if (this.#records > 0 && this.#records + pending.records.length > this.#limit) return false;
    (pending.records.length === 1 ? this.#singles : this.#bulks).push(pending);
    this.#records += pending.records.length;
    return true;
  }

  /** The next appends, at most `limit` records, at least one append. */
  take(limit: number): Pending[] {
    const taken: Pending[] = [];
    let count = 0;
    for (const list of [this.#singles, this.#bulks]) {
      let used = 0;
      for (const pending of list) {
        if (taken.length > 0 && count + pending.records.length > limit) break;
        taken.push(pending);
        count += pending.records.length;
        used++;
      }
      list.splice(0, used);
    }
    this.#records -= count;
    return taken;
  }

  /** True when it was still waiting and is now gone. */
  remove(pending: Pending): boolean {
    for (const list of [this.#singles, this.#bulks]) {
      const index = list.indexOf(pending);
      if (index < 0) continue;
      list.splice(index, 1);
      this.#records -= pending.records.length;
      return true;
    }
    return false;
  }

  rejectAll(error: unknown): void {
    for (const pending of this.take(Number.POSITIVE_INFINITY)) pending.reject(error);
  }
}
