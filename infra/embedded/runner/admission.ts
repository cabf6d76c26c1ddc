import type { Fault } from '#domain/fault.ts';

export interface AdmissionOptions {
  readonly hasRoom: () => boolean;
  /** How long one may wait, ms. */
  readonly waitMs: number;
  /** How many may wait. */
  readonly most: number;
  readonly refusal: () => Fault;
}

interface Waiter {
  readonly until: number;
  readonly resolve: () => void;
  readonly reject: (refusal: Fault) => void;
}

/**
 * Lets those in who have much to bring, in the order in which they came, one for each turn of the event loop while there is room: what
 * one brings is counted before the next is looked at.
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
    this.look();
    return promise;
  }

  /** To be called whenever there may be room. */
  look(): void {
    if (this.#looks || this.#waiting.length === 0 || !this.#options.hasRoom()) return;
    this.#waiting.shift()!.resolve();
    this.#looks = true;
    setImmediate(() => {
      this.#looks = false;
      this.look();
    });
  }

  refuseLate(now: number): void {
    const late = this.#waiting.filter(({ until }) => until < now);
    if (late.length === 0) return;
    this.#waiting = this.#waiting.filter(({ until }) => until >= now);
    for (const { reject } of late) reject(this.#options.refusal());
  }
}
