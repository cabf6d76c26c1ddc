import { setTimeout as pause } from 'node:timers/promises';
import { errorMessage, Fault } from '#domain/fault.ts';
import { firstItem } from '#domain/known.ts';
import type { Happening, OpenSink } from '#domain/ports/sink.ts';

/** Of one happening that is given alone. */
const MOST_ATTEMPTS = 3;
const TIMEOUT_MS = 60_000;
const BETWEEN_ATTEMPTS_MS = 100;

export interface TakerOptions {
  readonly sink: OpenSink;
  /** Of one take. */
  readonly timeoutMs?: number | undefined;
  readonly betweenAttemptsMs?: number | undefined;
  /** Further errors that say nothing about what was given. */
  readonly isStorageFailure?: (error: unknown) => boolean;
}

/** A happening that the sink cannot take. */
export interface RefusedHappening {
  readonly happening: Happening;
  readonly reason: string;
  readonly attempts: number;
}

export interface Given {
  /** So many of the first ones are done with; they need not be given again. */
  readonly done: number;
  /** The last of these, when it was given up. */
  readonly refused: RefusedHappening | null;
  /** Null when nothing failed. */
  readonly error: unknown;
}

const late = (ms: number): Fault => new Fault('unavailable', `The sink did not take its records within ${ms} ms`);

/**
 * Hands happenings to a sink, in order. When it cannot take a batch, it is given one by one, and one that fails three times is given
 * up. What comes too late is tried with half as many.
 */
export class SinkTaker {
  readonly #options: TakerOptions;
  /** At most so many are given at once, until so many more are done. */
  #most = Number.POSITIVE_INFINITY;
  #cautiousFor = 0;
  /** Of the one that is given alone. */
  #attempts = 0;

  constructor(options: TakerOptions) {
    this.#options = options;
  }

  /** `lag`: how many wait behind the batch. Throws when nothing can be taken now: then all is to be given again after a rest. */
  async give(batch: readonly Happening[], lag: number, stop: AbortSignal): Promise<Given> {
    const part = batch.slice(0, this.#most);
    const outcome = await this.#take(part, lag + batch.length - part.length, stop);
    if (outcome === null) {
      this.#settled(part.length);
      return { done: part.length, refused: null, error: null };
    }
    return part.length > 1 ? this.#beCautious(part.length, outcome) : this.#tryAgain(firstItem(part), outcome);
  }

  /** Null, or what the sink has against the part. */
  async #take(
    part: readonly Happening[],
    lag: number,
    stop: AbortSignal,
  ): Promise<{ error: unknown; isLate: boolean } | null> {
    const { sink, timeoutMs = TIMEOUT_MS, isStorageFailure = () => false } = this.#options;
    const over = AbortSignal.timeout(timeoutMs);
    const signal = AbortSignal.any([over, stop]);
    const aborted = Promise.withResolvers<never>();
    const abort = (): void => aborted.reject(late(timeoutMs));
    signal.addEventListener('abort', abort);
    try {
      await Promise.race([sink.take(part, { lag, signal }), aborted.promise]);
      return null;
    } catch (error) {
      if (stop.aborted) throw error;
      if (over.aborted) return { error: late(timeoutMs), isLate: true };
      if (isStorageFailure(error) || (error instanceof Fault && error.kind === 'unavailable')) throw error;
      return { error, isLate: false };
    } finally {
      signal.removeEventListener('abort', abort);
    }
  }

  #beCautious(given: number, { error, isLate }: { error: unknown; isLate: boolean }): Given {
    this.#most = isLate ? Math.ceil(given / 2) : 1;
    this.#cautiousFor = Math.max(this.#cautiousFor, given);
    return { done: 0, refused: null, error };
  }

  async #tryAgain(happening: Happening, { error, isLate }: { error: unknown; isLate: boolean }): Promise<Given> {
    this.#attempts += 1;
    if (this.#attempts < MOST_ATTEMPTS) {
      if (isLate) throw error;
      await pause(this.#options.betweenAttemptsMs ?? BETWEEN_ATTEMPTS_MS);
      return { done: 0, refused: null, error };
    }
    this.#settled(1);
    return { done: 1, refused: { happening, reason: errorMessage(error), attempts: MOST_ATTEMPTS }, error };
  }

  #settled(count: number): void {
    this.#attempts = 0;
    this.#cautiousFor -= count;
    if (this.#cautiousFor > 0) return;
    this.#cautiousFor = 0;
    this.#most = Number.POSITIVE_INFINITY;
  }
}

const FIRST_REST_MS = 500;
const LONGEST_REST_MS = 10_000;
/** How long a sink rests after so many failures in a row, ms. */
export const restMs = (failures: number): number => Math.min(LONGEST_REST_MS, FIRST_REST_MS * 2 ** (failures - 1));
