import type { Incoming, Receipt } from '#domain/event/incoming.ts';

/** One append; all its records go into one batch. */
export interface Pending {
  readonly tenant: string;
  readonly records: readonly Incoming[];
  readonly resolve: (receipts: readonly Receipt[]) => void;
  readonly reject: (error: unknown) => void;
}
export interface WaitingAppend extends Pending {
  /** Monotonic ms; refused when no batch has taken it by then. */
  readonly waitsUntil: number;
}

/** Appends that wait for the next batch, bounded by the number of records. Singles go in front of bulks. */
export class RequestQueue {
  readonly #limit: number;
  #singles: WaitingAppend[] = [];
  #bulks: WaitingAppend[] = [];
  #records = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }
  get records(): number {
    return this.#records;
  }

  /** False when the queue is full; an append that is alone is always taken. */
  add(pending: WaitingAppend): boolean {
    if (this.#records > 0 && this.#records + pending.records.length > this.#limit) return false;
    (pending.records.length === 1 ? this.#singles : this.#bulks).push(pending);
    this.#records += pending.records.length;
    return true;
  }

  /** The next appends, at most `limit` records, at least one append. */
  take(limit: number): WaitingAppend[] {
    const taken: WaitingAppend[] = [];
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

  /** Those that waited too long; they are gone from the queue. */
  takeLate(now: number): WaitingAppend[] {
    const isLate = ({ waitsUntil }: WaitingAppend): boolean => waitsUntil < now;
    const late = [...this.#singles, ...this.#bulks].filter(isLate);
    if (late.length === 0) return late;
    this.#singles = this.#singles.filter((pending) => !isLate(pending));
    this.#bulks = this.#bulks.filter((pending) => !isLate(pending));
    for (const { records } of late) this.#records -= records.length;
    return late;
  }

  rejectAll(error: unknown): void {
    for (const pending of this.take(Number.POSITIVE_INFINITY)) pending.reject(error);
  }
}
