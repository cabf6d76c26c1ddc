import { setTimeout as pause } from 'node:timers/promises';
import { itemAt, lastItem } from '#domain/assert.ts';
import type { Clock } from '#domain/ports/clock.ts';
import type { Metrics } from '#domain/ports/metrics.ts';
import type { Sink, SinkBacklog, SinkEvent } from '#domain/ports/sink.ts';
import { MAX_TAKEN, type SinkOutcome, type SinkTaker } from '#infra/sink-taker.ts';
import { rejectedInput } from './bad-record.ts';
import type { Commit } from './commits.ts';
import type { Emitter, Input, Owner, Taken } from './owner.ts';
import type { Rejected } from './step-batch.ts';

export interface SinkOwnerOptions {
  readonly sink: Sink;
  /** Outlives the owner: it remembers earlier failures. */
  readonly taker: Pick<SinkTaker, 'give'>;
  readonly partition: number;
  readonly emitter: Pick<Emitter, 'reject'>;
  readonly clock: Clock;
  readonly metrics: Metrics;
  isPaused(): boolean;
  /** True while a caller waits until nothing is left. */
  isHurried?(): boolean;
  /** Returns what waits behind this offset of the partition, and for the pipeline; as of some seconds ago. */
  waiting(offset: number): Promise<SinkBacklog>;
  /** Null when nothing is committed. */
  committed(): Promise<Commit | null>;
}

/** Pause between two checks if the sink is still paused, and of the clock. */
const LOOK_MS = 250;

interface ToldOf {
  readonly input: Input;
  readonly happening: SinkEvent;
}

/**
 * A sink on one partition. It saves and sends nothing, so its position is all that its next owner needs; uncommitted
 * events are delivered again.
 */
export class SinkOwner implements Owner {
  readonly #options: SinkOwnerOptions;
  readonly #stop = new AbortController();
  /** Serial of the last record: a resend of a writer after a crash has the same number. */
  #serial = 0;
  /** Time when the current records are old enough, ms. */
  #readyAt = 0;
  /** Time of the last batch, monotonic ms. */
  #tookAt = Number.NEGATIVE_INFINITY;

  constructor(options: SinkOwnerOptions) {
    this.#options = options;
  }

  async open(): Promise<number> {
    const commit = await this.#options.committed();
    this.#serial = Number(commit?.metadata || 0);
    return commit?.offset ?? 0;
  }

  /** Ends a current batch. */
  stop(): void {
    this.#stop.abort();
  }

  /** Busy partitions and sinks read at the same moments, so that they share refreshes and reads of the store. */
  gatherMs(): number {
    const { sink, clock, isHurried } = this.#options;
    const { everyMs = 0 } = sink;
    if (everyMs === 0 || isHurried?.()) return 0;
    return (Math.floor(this.#tookAt / everyMs) + 1) * everyMs - clock.steady();
  }

  isWaiting(): boolean {
    return this.#options.isPaused() || this.#readyAt > this.#options.clock.now();
  }

  sizes(): Readonly<Record<string, number>> {
    return {};
  }

  async take(inputs: readonly Input[]): Promise<Taken> {
    const { sink, metrics, clock } = this.#options;
    this.#tookAt = clock.steady();
    metrics.count('faultline_processor_records_total', { processor: sink.name, direction: 'in' }, inputs.length);
    const told = await this.#toldOf(inputs.filter(({ serial }) => serial === 0 || serial > this.#serial));
    const last = lastItem(inputs);
    const end = last.offset + 1;
    let done = 0;
    try {
      while (done < told.length) done += await this.#giveSome(told.slice(done, done + MAX_TAKEN), end);
    } catch (error) {
      if (done === 0 && !this.#stop.signal.aborted) throw error;
    }
    return done === told.length ? this.#through(last) : this.#upTo(told, done, inputs);
  }

  #through({ serial }: Input): Taken {
    this.#serial = Math.max(this.#serial, serial);
    return { metadata: String(this.#serial) };
  }

  /** The next batch begins with the first one that is not done. */
  #upTo(told: readonly ToldOf[], done: number, inputs: readonly Input[]): Taken {
    const { offset } = itemAt(told, done).input;
    const last = inputs.findLast((input) => input.offset < offset);
    const { metadata } = last === undefined ? { metadata: String(this.#serial) } : this.#through(last);
    return { metadata, resume: offset, back: offset };
  }

  /** Unreadable records become dead letters. */
  async #toldOf(inputs: readonly Input[]): Promise<ToldOf[]> {
    const { sink } = this.#options;
    const told: ToldOf[] = [];
    const bad: [Input, unknown][] = [];
    for (const input of inputs) {
      const { at, entry, fault } = input;
      try {
        if (fault !== null) throw new Error(fault);
        const one = sink.told(entry.value);
        if (one !== null)
          told.push({ input, happening: { ...one, tenant: entry.tenant, position: entry.position, at } });
      } catch (error) {
        bad.push([input, error]);
      }
    }
    await this.#reject(bad.map(([input, error]) => ({ ...this.#letter(input, error), attempts: 1 })));
    return told;
  }

  /** Returns the number of finished events of the part. */
  async #giveSome(part: readonly ToldOf[], end: number): Promise<number> {
    const { sink, taker, waiting, metrics } = this.#options;
    const { at, fetchedAt = at } = lastItem(part).input;
    await this.#untilReady(Math.min(at, fetchedAt));
    const behind = await waiting(end);
    const started = performance.now();
    const batch = part.map(({ happening }) => happening);
    const given = await taker.give(batch, behind, this.#stop.signal).catch((error) => {
      metrics.count('faultline_processor_errors_total', { processor: sink.name });
      throw error;
    });
    metrics.observe(
      'faultline_processor_step_seconds',
      { processor: sink.name },
      (performance.now() - started) / 1_000,
    );
    await this.#note(part, given);
    return given.done;
  }

  async #note(part: readonly ToldOf[], { done, refused, error }: SinkOutcome): Promise<void> {
    const { sink, metrics } = this.#options;
    if (error !== null) metrics.count('faultline_processor_errors_total', { processor: sink.name });
    if (refused === null) return;
    const letter = this.#letter(itemAt(part, done - 1).input, new Error(refused.reason));
    await this.#reject([{ ...letter, attempts: refused.attempts }]);
  }

  #letter(input: Input, error: unknown): Rejected {
    const { sink, partition, clock } = this.#options;
    return rejectedInput({ processor: sink, partition, at: clock.now() }, input, error);
  }

  async #reject(letters: readonly Rejected[]): Promise<void> {
    const { sink, partition, emitter, metrics } = this.#options;
    if (letters.length === 0) return;
    await emitter.reject(partition, letters);
    metrics.count('faultline_rejected_total', { processor: sink.name }, letters.length);
  }

  /**
   * Waits until the sink resumes, and until records of that time are old enough. Brokers may be ahead of this clock.
   */
  async #untilReady(writtenAt: number): Promise<void> {
    const { sink, clock } = this.#options;
    this.#readyAt = writtenAt + sink.delayMs;
    while (this.isWaiting()) {
      const leftMs = Math.max(1, this.#readyAt - clock.now());
      await pause(Math.min(leftMs, LOOK_MS), undefined, { signal: this.#stop.signal });
    }
    this.#readyAt = 0;
    this.#stop.signal.throwIfAborted();
  }
}
