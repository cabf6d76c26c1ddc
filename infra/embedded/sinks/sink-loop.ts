import { setTimeout as pause, setImmediate } from 'node:timers/promises';
import { errorMessage } from '#domain/fault.ts';
import type { Pause } from '#domain/pipeline/sinks.ts';
import type { Clock } from '#domain/ports/clock.ts';
import type { Metrics } from '#domain/ports/metrics.ts';
import type { Ports } from '#domain/ports/ports.ts';
import type { Sink } from '#domain/ports/sink.ts';
import { isStorageFailure } from '#infra/embedded/sqlite/errors.ts';
import { MAX_TAKEN, type RefusedSinkEvent, restMs, SinkTaker, type TakerOptions } from '#infra/sink-taker.ts';
import type { Outbox, Slice } from './outbox.ts';

/** Wakes one sleeper before its time. A signal without a sleeper wakes the next one. */
class WakeSignal {
  #isRung = false;
  #wake: (() => void) | null = null;

  ring(): void {
    this.#isRung = true;
    this.#wake?.();
  }

  /** Resolves at a signal, or after this time in ms; infinite: at a signal only. */
  async rung(ms: number): Promise<void> {
    if (!this.#isRung) await this.#sleep(ms);
    this.#isRung = false;
  }

  async #sleep(ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#wake = resolve;
    const timer = Number.isFinite(ms) ? setTimeout(resolve, ms) : undefined;
    await promise;
    clearTimeout(timer);
    this.#wake = null;
  }
}

/** Interval for checking a clock that stands. */
const LONGEST_SLEEP_MS = 1_000;

export interface LoopOptions extends Pick<TakerOptions, 'timeoutMs' | 'betweenAttemptsMs'> {
  readonly sink: Sink;
  readonly outbox: Pick<Outbox, 'read' | 'lag'>;
  readonly clock: Clock;
  readonly metrics: Metrics;
  readonly log: { error(fields: object, message: string): void };
  /** Number of the last entry that was done with. */
  readonly from: number;
  /** Pause after a number of failures in a row, ms. */
  readonly rest?: (failures: number) => number;
  /** Stores the new position; it may be some time until it is on disk. */
  moved(through: number): void;
  /** Makes a dead letter and the new position durable. */
  refused(refused: RefusedSinkEvent, through: number): Promise<void>;
}

export interface LoopStatus {
  readonly through: number;
  readonly lag: number;
  /** Null when all is well. */
  readonly lastError: { readonly message: string; readonly at: number } | null;
  readonly paused: Pause | null;
}

/** Delivers events to one sink, batch after batch, and never ends because of it. */
export class SinkLoop {
  readonly #options: LoopOptions;
  readonly #bell = new WakeSignal();
  readonly #stop = new AbortController();
  readonly #idle: (() => void)[] = [];
  #through: number;
  /** The events that a batch has left over. */
  #held: Slice | null = null;
  #failures = 0;
  /** Time of the last batch. */
  #tookAt = Number.NEGATIVE_INFINITY;
  #lastError: LoopStatus['lastError'] = null;
  #paused: Pause | null = null;
  #isResting = false;
  #ended: Promise<void> = Promise.resolve();

  constructor(options: LoopOptions) {
    this.#options = options;
    this.#through = options.from;
  }

  get sink(): Sink {
    return this.#options.sink;
  }

  get status(): LoopStatus {
    const { outbox, sink } = this.#options;
    const lag = outbox.lag(sink.name, this.#through);
    return { through: this.#through, lag, lastError: this.#lastError, paused: this.#paused };
  }

  start(ports: Ports): void {
    const { sink, timeoutMs, betweenAttemptsMs } = this.#options;
    const taker = new SinkTaker({ sink: sink.open(ports), timeoutMs, betweenAttemptsMs, isStorageFailure });
    this.#ended = this.#run(taker);
  }

  /** Signals that there may be something to consume. */
  wake(): void {
    this.#bell.ring();
  }

  /** A paused sink ends its batch and begins no other. */
  pause(paused: Pause | null): void {
    this.#paused = paused;
    this.wake();
  }

  /** Resolves when nothing remains that could be consumed now: the rest is too young, or the sink is paused. */
  idle(): Promise<void> {
    if (this.#isResting) return Promise.resolve();
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#idle.push(resolve);
    this.wake();
    return promise;
  }

  /** Ends the current batch; the sink will receive its events again. */
  async stop(): Promise<void> {
    this.#stop.abort();
    this.wake();
    await this.#ended;
    for (const resolve of this.#idle.splice(0)) resolve();
  }

  async #run(taker: SinkTaker): Promise<void> {
    while (!this.#stop.signal.aborted) {
      const asked = this.#idle.splice(0);
      try {
        await this.#turn(taker, asked);
        this.#failures = 0;
      } catch (error) {
        if (!this.#stop.signal.aborted) await this.#rest(error, asked);
      }
    }
  }

  /** Runs one batch, or sleeps. Waiting callers are notified when nothing remains to be done now. */
  async #turn(taker: SinkTaker, asked: readonly (() => void)[]): Promise<void> {
    const sleepMs = this.#paused !== null ? Number.POSITIVE_INFINITY : await this.#give(taker, asked.length > 0);
    if (sleepMs > 0) {
      for (const resolve of asked) resolve();
      return this.#bell.rung(sleepMs);
    }
    this.#idle.unshift(...asked);
    await setImmediate();
  }

  async #rest(error: unknown, asked: readonly (() => void)[]): Promise<void> {
    this.#failures += 1;
    this.#note(error, "sink paused: it can't accept records");
    this.#isResting = true;
    for (const resolve of [...asked, ...this.#idle.splice(0)]) resolve();
    const { rest = restMs } = this.#options;
    await pause(rest(this.#failures), undefined, { signal: this.#stop.signal }).catch(() => undefined);
    this.#isResting = false;
  }

  /** Returns ms until there may be more to deliver; infinite: until a signal. */
  async #give(taker: SinkTaker, isAsked: boolean): Promise<number> {
    const slice = this.#held ?? this.#read();
    const earlyMs = this.#held === null && !isAsked ? this.#earlyMs() : 0;
    // Entries that are too young yet are no reason to hurry.
    if (earlyMs > 0 && !slice.more && slice.entries.length > 0) return Math.min(earlyMs, LONGEST_SLEEP_MS);
    this.#held = null;
    if (slice.entries.length === 0) {
      this.#advance(slice.through);
      if (slice.more) return 0;
      return Number.isFinite(slice.youngForMs) ? Math.min(slice.youngForMs, LONGEST_SLEEP_MS) : slice.youngForMs;
    }
    const batch = slice.entries.map(({ happening }) => happening);
    const started = performance.now();
    this.#tookAt = this.#options.clock.steady();
    const { done, refused, error } = await taker.give(batch, { lag: slice.lag }, this.#stop.signal);
    this.#measure(done, (performance.now() - started) / 1_000);
    const left = slice.entries.slice(done);
    const through = left.length === 0 ? slice.through : (slice.entries[done - 1]?.number ?? this.#through);
    if (refused !== null) await this.#refuse(refused, through);
    if (error === null) this.#lastError = null;
    else this.#note(error, 'sink failed to process a batch');
    this.#advance(through);
    if (left.length > 0) this.#held = { ...slice, entries: left };
    return 0;
  }

  #earlyMs(): number {
    return this.#tookAt + (this.#options.sink.everyMs ?? 0) - this.#options.clock.steady();
  }

  #read(): Slice {
    const { sink, outbox, clock } = this.#options;
    return outbox.read(sink.name, this.#through, { until: clock.now() - sink.delayMs, most: MAX_TAKEN });
  }

  #advance(through: number): void {
    if (through === this.#through) return;
    this.#through = through;
    this.#options.moved(through);
  }

  async #refuse(refused: RefusedSinkEvent, through: number): Promise<void> {
    const { sink, metrics, log } = this.#options;
    await this.#options.refused(refused, through);
    metrics.count('faultline_rejected_total', { processor: sink.name });
    const { tenant, position } = refused.happening;
    log.error({ processor: sink.name, tenant, position, reason: refused.reason }, 'record rejected');
  }

  #measure(done: number, seconds: number): void {
    const { sink, metrics } = this.#options;
    metrics.observe('faultline_processor_step_seconds', { processor: sink.name }, seconds);
    if (done > 0) metrics.count('faultline_processor_records_total', { processor: sink.name, direction: 'in' }, done);
  }

  #note(error: unknown, message: string): void {
    const { sink, metrics, log, clock } = this.#options;
    metrics.count('faultline_processor_errors_total', { processor: sink.name });
    log.error({ processor: sink.name, err: error }, message);
    this.#lastError = { message: errorMessage(error), at: clock.now() };
  }
}
