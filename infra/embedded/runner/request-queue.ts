import type { Incoming, Receipt } from '#domain/event/incoming.ts';
import type { Fault } from '#domain/fault.ts';

/** One append; all its records go into one batch. */
export interface Pending {
  readonly tenant: string;
  readonly records: readonly Incoming[];
  /** Trace of the request. */
  readonly traceparent?: string | undefined;
  readonly resolve: (receipts: readonly Receipt[]) => void;
  readonly reject: (error: unknown) => void;
}
export interface WaitingAppend extends Pending {
  /** Monotonic ms; refused when no batch has accepted it by then. */
  readonly waitsUntil: number;
}

/**
 * Appends that wait for the next batch, bounded by the number of records. Singles precede bulks, except after a batch
 * without bulk though one waited.
 */
export class RequestQueue {
  readonly #limit: number;
  #singles: WaitingAppend[] = [];
  #bulks: WaitingAppend[] = [];
  #records = 0;
  #bulksFirst = false;

  constructor(limit: number) {
    this.#limit = limit;
  }
  get records(): number {
    return this.#records;
  }

  /** False when the queue is full; an append that is alone is always accepted. */
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
    const bulk = this.#bulks[0];
    for (const list of this.#bulksFirst ? [this.#bulks, this.#singles] : [this.#singles, this.#bulks]) {
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
    this.#bulksFirst = bulk !== undefined && this.#bulks[0] === bulk;
    return taken;
  }

  /** Returns appends that waited too long, removed from the queue. */
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

interface AdmissionOptions {
  readonly hasRoom: () => boolean;
  /** Longest wait of a request, ms. */
  readonly waitMs: number;
  /** Most waiting requests. */
  readonly most: number;
  readonly refusal: () => Fault;
}

interface Waiter {
  readonly until: number;
  readonly resolve: () => void;
  readonly reject: (refusal: Fault) => void;
}

/**
 * FIFO gate for large requests: admits one per turn of the event loop while there is room, so that the records of
 * one are counted before the next.
 */
export class Admission {
  readonly #options: AdmissionOptions;
  #waiting: Waiter[] = [];
  #looks = false;

  constructor(options: AdmissionOptions) {
    this.#options = options;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  /** Rejects with the refusal on a timeout or when too many wait. */
  enter(): Promise<void> {
    const { most, waitMs, refusal } = this.#options;
    if (this.#waiting.length >= most) return Promise.reject(refusal());
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#waiting.push({ until: performance.now() + waitMs, resolve, reject });
    this.admitNext();
    return promise;
  }

  /** Must be called whenever there may be room. */
  admitNext(): void {
    if (this.#looks || this.#waiting.length === 0 || !this.#options.hasRoom()) return;
    this.#waiting.shift()?.resolve();
    this.#looks = true;
    setImmediate(() => {
      this.#looks = false;
      this.admitNext();
    });
  }

  refuseLate(now: number): void {
    const late = this.#waiting.filter(({ until }) => until < now);
    if (late.length === 0) return;
    this.#waiting = this.#waiting.filter(({ until }) => until >= now);
    for (const { reject } of late) reject(this.#options.refusal());
  }
}
