import { itemAt } from '#domain/assert.ts';
import { type StepMeter, step } from '#domain/pipeline/batch.ts';
import type { Entry, Join } from '#domain/pipeline/processor.ts';
import type { Clock } from '#domain/ports/clock.ts';
import type { Metrics } from '#domain/ports/metrics.ts';
import type { PipelineStore } from '#domain/ports/pipeline-store.ts';
import { stepMeter } from '#infra/measure-steps.ts';
import { rejectedInput } from './bad-record.ts';
import type { Commit } from './commits.ts';
import type { Output } from './journal.ts';
import type { Emitter, Input, Owner, Taken } from './owner.ts';
import { type Emitted, emittedBy, NO_ROWS, openBatch, type StepBatch } from './step-batch.ts';

// biome-ignore lint/suspicious/noExplicitAny: owners run joins of differing state and input; each join is sound by itself.
type AnyJoin = Join<any, any>;

export interface JoinOwnerOptions {
  readonly join: AnyJoin;
  readonly partition: number;
  readonly store: Pick<PipelineStore, 'restorable'>;
  readonly emitter: Emitter;
  readonly clock: Clock;
  readonly metrics: Metrics;
  mine(tenant: string): boolean;
  /** Null when nothing is committed. */
  committed(): Promise<Commit | null>;
}

/**
 * A join on one partition. It saves nothing: its window is refilled from stored arrivals up to the committed position,
 * and merge recognizes duplicate sends after a crash by position and strategy.
 */
export class JoinOwner implements Owner {
  readonly #options: JoinOwnerOptions;
  readonly #meter: StepMeter;
  #state: unknown;
  #through = -1;
  /** Serial of the last numbered record; 0 before the first, and after a commit of a program that wrote none. */
  #serial = 0;

  constructor(options: JoinOwnerOptions) {
    this.#options = options;
    this.#meter = stepMeter(options.metrics);
  }

  /**
   * Returns the commit up to which the window is refilled: later records may be done, but no window would contain them.
   */
  async open(): Promise<number> {
    const { join, store, clock, mine, committed } = this.#options;
    const commit = await committed();
    const [through, serial = '0'] = (commit?.metadata || '-1').split('/');
    this.#through = Number(through);
    this.#serial = Number(serial);
    this.#state = join.open();
    if (this.#through >= 0) {
      await join.restore(
        this.#state,
        store.restorable(mine, { through: this.#through, now: clock.now() }),
        clock.now(),
      );
    }
    return commit?.offset ?? 0;
  }

  async take(inputs: readonly Input[]): Promise<Taken> {
    const { join, partition, emitter, metrics } = this.#options;
    const batch = openBatch(NO_ROWS);
    const entries = inputs.map(({ entry }) => entry);
    step({ processor: join, state: this.#state }, entries, batch, {
      most: 0,
      meter: this.#meter,
      admits: (index) => this.#admits(itemAt(inputs, index)),
      reject: (entry, error) => this.#reject(entry, inputs, error, batch),
    });
    join.passed({ tenant: '', position: this.#through, value: null }, batch);
    const sent = this.#sendable(batch, inputs);
    if (batch.rejected.length > 0) await emitter.reject(partition, batch.rejected);
    await emitter.send(partition, sent.map(unnumbered));
    metrics.observe('faultline_batch_records', {}, inputs.length);
    const emitted = { processor: join.name, direction: 'out' };
    metrics.count('faultline_processor_records_total', emitted, sent.length);
    return { metadata: `${this.#through}/${this.#serial}` };
  }

  /** One position may have several records: the end of one event, and the arrival of another. */
  #isRepeat({ entry, serial }: Input): boolean {
    return serial > 0 && this.#serial > 0 ? serial <= this.#serial : entry.position <= this.#through;
  }

  sizes(): Readonly<Record<string, number>> {
    return this.#options.join.sizes?.(this.#state, this.#options.clock.now()) ?? {};
  }

  /** False when the record is a repeat; throws when it cannot be decoded. */
  #admits(input: Input): boolean {
    if (this.#isRepeat(input)) return false;
    this.#through = Math.max(this.#through, input.entry.position);
    this.#serial = Math.max(this.#serial, input.serial);
    if (input.fault !== null) throw new Error(input.fault);
    return true;
  }

  /** The dead letter is that of the record that contained the entry. */
  #reject(rejected: Entry<unknown>, inputs: readonly Input[], error: unknown, batch: StepBatch): void {
    const { join, partition, clock, metrics } = this.#options;
    const input =
      inputs.find(({ entry }) => entry === rejected) ??
      inputs.find(({ entry }) => entry.position === rejected.position);
    if (input === undefined) return;
    batch.rejected.push(rejectedInput({ processor: join, partition, at: clock.now() }, input, error));
    metrics.count('faultline_processor_errors_total', { processor: join.name });
    metrics.count('faultline_rejected_total', { processor: join.name });
  }

  /** Findings that are larger than a record may be are cut down to the best ones; what cannot be cut becomes a dead letter. */
  #sendable(batch: StepBatch, inputs: readonly Input[]): Emitted[] {
    const { emitter, join } = this.#options;
    return emittedBy(batch).flatMap((emitted) => {
      const reason = emitter.refuses(emitted);
      if (reason === null) return [emitted];
      const smaller = join.smaller?.(emitted.entry.value, (value) => fits(emitter, emitted, value)) ?? null;
      if (smaller !== null) return [withValue(emitted, smaller)];
      this.#reject(emitted.entry, inputs, new Error(reason), batch);
      return [];
    });
  }
}

const withValue = ({ topic, entry }: Emitted, value: unknown): Emitted => ({ topic, entry: { ...entry, value } });
const fits = (emitter: Emitter, emitted: Emitted, value: unknown): boolean =>
  emitter.refuses(withValue(emitted, value)) === null;

const unnumbered = ({ topic, entry }: Emitted): Output => ({ topic, entry, serial: 0, reply: null });
