import { setTimeout as pause, setImmediate } from 'node:timers/promises';
import { errorMessage } from '#domain/fault.ts';
import type { Pause } from '#domain/pipeline/sinks.ts';
import type { Clock } from '#domain/ports/clock.ts';
import type { Metrics } from '#domain/ports/metrics.ts';
import type { Ports } from '#domain/ports/ports.ts';
import type { Sink } from '#domain/ports/sink.ts';
import { isStorageFailure } from '#infra/embedded/sqlite/errors.ts';
import { type RefusedHappening, restMs, SinkTaker, type TakerOptions } from '#infra/sink-taker.ts';
import { Bell } from './bell.ts';
import type { Outbox, Slice } from './outbox.ts';

/** Happenings per take. */
const MOST_TAKEN = 500;
/** A clock that stands is looked at again after this. */
const LONGEST_SLEEP_MS = 1_000;

export interface LoopOptions extends Pick<TakerOptions, 'timeoutMs' | 'betweenAttemptsMs'> {
  readonly sink: Sink;
  readonly outbox: Pick<Outbox, 'read' | 'lag'>;
  readonly clock: Clock;
  readonly metrics: Metrics;
  readonly log: { error(fields: object, message: string): void };
  /** Number of the last entry that was done with. */
  readonly from: number;
  /** How long it rests after so many failures in a row, ms. */
  readonly rest?: (failures: number) => number;
  /** Keeps the new position; it may be some time until it is on disk. */
  moved(through: number): void;
  /** Makes a dead letter and the new position durable. */
  refused(refused: RefusedHappening, through: number): Promise<void>;
}

export interface LoopStatus {
  readonly through: number;
  readonly lag: number;
  /** Null when all is well. */
  readonly lastError: { readonly message: string; readonly at: number } | null;
  readonly paused: Pause | null;
}

/** Gives one sink what it is told, batch after batch, and never ends because of it. */
export class SinkLoop {
  readonly #options: LoopOptions;
  readonly #bell = new Bell();
  readonly #stop = new AbortController();
  readonly #idle: (() => void)[] = [];
  #through: number;
  /** The happenings that a take has left over. */
  #held: Slice | null = null;
  #failures = 0;
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

  /** There may be something to take. */
  wake(): void {
    this.#bell.ring();
  }

  /** A paused sink ends its take and begins no other. */
  pause(paused: Pause | null): void {
    this.#paused = paused;
    this.wake();
  }

  /** Resolves when nothing is left that could be taken now: the rest is too young, or the sink rests or is paused. */
  idle(): Promise<void> {
    if (this.#isResting) return Promise.resolve();
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#idle.push(resolve);
    this.wake();
    return promise;
  }

  /** Ends a take that is going on; the sink will be given its happenings again. */
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

  /** One batch, or sleep. Those that asked are told when nothing is left to be done now. */
  async #turn(taker: SinkTaker, asked: readonly (() => void)[]): Promise<void> {
    const sleepMs = this.#paused !== null ? Number.POSITIVE_INFINITY : await this.#give(taker);
    if (sleepMs > 0) {
      for (const resolve of asked) resolve();
      return this.#bell.rung(sleepMs);
    }
    this.#idle.unshift(...asked);
    await setImmediate();
  }

  async #rest(error: unknown, asked: readonly (() => void)[]): Promise<void> {
    this.#failures += 1;
    this.#note(error, 'a sink rests, since it can take nothing');
    this.#isResting = true;
    for (const resolve of [...asked, ...this.#idle.splice(0)]) resolve();
    const { rest = restMs } = this.#options;
    await pause(rest(this.#failures), undefined, { signal: this.#stop.signal }).catch(() => undefined);
    this.#isResting = false;
  }

  /** Ms until there may be more to give; infinite: until the bell rings. */
  async #give(taker: SinkTaker): Promise<number> {
    const slice = this.#held ?? this.#read();
    this.#held = null;
    if (slice.entries.length === 0) {
      this.#advance(slice.through);
      if (slice.more) return 0;
      return Number.isFinite(slice.youngForMs) ? Math.min(slice.youngForMs, LONGEST_SLEEP_MS) : slice.youngForMs;
    }
    const batch = slice.entries.map(({ happening }) => happening);
    const started = performance.now();
    const { done, refused, error } = await taker.give(batch, slice.lag, this.#stop.signal);
    this.#measure(done, (performance.now() - started) / 1_000);
    const left = slice.entries.slice(done);
    const through = left.length === 0 ? slice.through : (slice.entries[done - 1]?.number ?? this.#through);
    if (refused !== null) await this.#refuse(refused, through);
    if (error === null) this.#lastError = null;
    else this.#note(error, 'a sink did not take a batch');
    this.#advance(through);
    if (left.length > 0) this.#held = { ...slice, entries: left };
    return 0;
  }

  #read(): Slice {
    const { sink, outbox, clock } = this.#options;
    return outbox.read(sink.name, this.#through, { until: clock.now() - sink.delayMs, most: MOST_TAKEN });
  }

  #advance(through: number): void {
    if (through === this.#through) return;
    this.#through = through;
    this.#options.moved(through);
  }

  async #refuse(refused: RefusedHappening, through: number): Promise<void> {
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
