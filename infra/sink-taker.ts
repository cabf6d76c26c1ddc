import { setTimeout as pause } from 'node:timers/promises';
import { firstItem } from '#domain/assert.ts';
import { errorMessage, Fault } from '#domain/fault.ts';
import type { OpenSink, SinkBacklog, SinkEvent } from '#domain/ports/sink.ts';

/** Events per batch: single events of many tenants are few of each, and every tenant of a batch has its price. */
export const MAX_TAKEN = 2_000;
/** Attempts of one event that is delivered alone. */
const MAX_ATTEMPTS = 3;
const TIMEOUT_MS = 60_000;
const BETWEEN_ATTEMPTS_MS = 100;

export interface TakerOptions {
  readonly sink: OpenSink;
  /** Timeout of one batch. */
  readonly timeoutMs?: number | undefined;
  readonly betweenAttemptsMs?: number | undefined;
  /** Further errors that are not caused by the delivered events. */
  readonly isStorageFailure?: (error: unknown) => boolean;
}

/** An event that the sink cannot accept. */
export interface RefusedSinkEvent {
  readonly happening: SinkEvent;
  readonly reason: string;
  readonly attempts: number;
}

export interface SinkOutcome {
  /** Number of finished events at the start of the batch; they need not be delivered again. */
  readonly done: number;
  /** The last of these, when it was abandoned. */
  readonly refused: RefusedSinkEvent | null;
  /** Null when nothing failed. */
  readonly error: unknown;
}

const late = (ms: number): Fault => new Fault('unavailable', `The sink didn't process its records within ${ms} ms`);

/**
 * Delivers events to a sink, in order. A batch that it cannot accept is retried with half as many, down to one event,
 * which is abandoned when it fails three times.
 */
export class SinkTaker {
  readonly #options: TakerOptions;
  /** Maximum delivered at once, until this number more is done. */
  #most = Number.POSITIVE_INFINITY;
  #cautiousFor = 0;
  /** Attempts of the event that is delivered alone. */
  #attempts = 0;

  constructor(options: TakerOptions) {
    this.#options = options;
  }

  /**
   * Throws when nothing can be accepted now: then everything must be delivered again after a pause.
   */
  async give(batch: readonly SinkEvent[], behind: SinkBacklog, stop: AbortSignal): Promise<SinkOutcome> {
    const part = batch.slice(0, this.#most);
    const outcome = await this.#take(part, { ...behind, lag: behind.lag + batch.length - part.length }, stop);
    if (outcome === null) {
      this.#settled(part.length);
      return { done: part.length, refused: null, error: null };
    }
    return part.length > 1 ? this.#beCautious(part.length, outcome.error) : this.#tryAgain(firstItem(part), outcome);
  }

  /** Returns null, or the sink's error for the part. */
  async #take(
    part: readonly SinkEvent[],
    behind: SinkBacklog,
    stop: AbortSignal,
  ): Promise<{ error: unknown; isLate: boolean } | null> {
    const { sink, timeoutMs = TIMEOUT_MS, isStorageFailure = () => false } = this.#options;
    const over = AbortSignal.timeout(timeoutMs);
    const signal = AbortSignal.any([over, stop]);
    const aborted = Promise.withResolvers<never>();
    const abort = (): void => aborted.reject(late(timeoutMs));
    signal.addEventListener('abort', abort);
    try {
      await Promise.race([sink.take(part, { ...behind, signal }), aborted.promise]);
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

  #beCautious(given: number, error: unknown): SinkOutcome {
    this.#most = Math.ceil(given / 2);
    this.#cautiousFor = Math.max(this.#cautiousFor, given);
    return { done: 0, refused: null, error };
  }

  async #tryAgain(happening: SinkEvent, { error, isLate }: { error: unknown; isLate: boolean }): Promise<SinkOutcome> {
    this.#attempts += 1;
    if (this.#attempts < MAX_ATTEMPTS) {
      if (isLate) throw error;
      await pause(this.#options.betweenAttemptsMs ?? BETWEEN_ATTEMPTS_MS);
      return { done: 0, refused: null, error };
    }
    this.#settled(1);
    return { done: 1, refused: { happening, reason: errorMessage(error), attempts: MAX_ATTEMPTS }, error };
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
/** Returns the pause of a sink after a number of failures in a row, ms. */
export const restMs = (failures: number): number => Math.min(LONGEST_REST_MS, FIRST_REST_MS * 2 ** (failures - 1));
