import type { Fault } from '#domain/fault.ts';

export interface AdmissionOptions {
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

  /** Rejects with the refusal when it takes too long or too many wait. */
  enter(): Promise<void> {
    const { most, waitMs, refusal } = this.#options;
    if (this.#waiting.length >= most) return Promise.reject(refusal());
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#waiting.push({ until: performance.now() + waitMs, resolve, reject });
    this.admitNext();
    return promise;
  }

  /** To be called whenever there may be room. */
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
