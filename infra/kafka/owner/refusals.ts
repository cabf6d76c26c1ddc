import type { Fault } from '#domain/fault.ts';
import type { Clock } from '#domain/ports/clock.ts';
import type { Metrics } from '#domain/ports/metrics.ts';
import { type RecordPosition, refusal, refusedDocuments, rejectedInput, rejectedOutput } from './bad-record.ts';
import type { BatchPage } from './journal.ts';
import type { Emitter, Input } from './owner.ts';
import { type Emitted, emittedBy, type Rejected, type StepBatch } from './step-batch.ts';

export interface RefusalsOptions {
  readonly fold: RecordPosition['processor'];
  readonly partition: number;
  readonly emitter: Emitter;
  readonly clock: Clock;
  readonly metrics: Metrics;
}

/** A batch that is stepped. */
export interface Stepped {
  readonly batch: StepBatch;
  readonly inputs: readonly Input[];
  /** Append time of the batch before, ms. */
  readonly before: number;
}

/**
 * Entries that a fold on one partition cannot handle, or that cannot be delivered, become dead letters and block
 * nothing.
 */
export class Refusals {
  readonly #options: RefusalsOptions;

  constructor(options: RefusalsOptions) {
    this.#options = options;
  }

  /**
   * An entry that the step cannot handle, or that cannot be delivered. The dead letter is that of the record that
   * contained or caused it; of an earlier batch only the entry itself remains.
   */
  reject(emitted: Emitted, error: unknown, { batch, inputs, before }: Stepped): void {
    const { position } = emitted.entry;
    const cause =
      inputs.find(({ entry }) => entry === emitted.entry) ?? inputs.find(({ entry }) => entry.position === position);
    const letter =
      cause === undefined ? this.#outputLetter(emitted, error, before) : rejectedInput(this.#place(), cause, error);
    this.#add(letter, position, batch);
  }

  /**
   * Outputs that the log would never accept are set aside before the page is written: afterwards every owner would fail
   * at them.
   */
  sendable(stepped: Stepped): readonly Emitted[] {
    const emitted = emittedBy(stepped.batch);
    const refused = this.#refusedOf(emitted);
    if (refused.size === 0) return emitted;
    for (const [one, reason] of refused) this.reject(one, new Error(reason), stepped);
    return emitted.filter((one) => !refused.has(one));
  }

  /**
   * Returns the outputs of a page that the log accepts, and letters of the others: a page of an older program may
   * contain such.
   */
  sendableOf({ outputs, rejected, at }: BatchPage): Pick<BatchPage, 'outputs' | 'rejected'> {
    const refused = this.#refusedOf(outputs);
    if (refused.size === 0) return { outputs, rejected };
    const letters = [...refused].map(([output, reason]) => this.#outputLetter(output, new Error(reason), at));
    return { outputs: outputs.filter((output) => !refused.has(output)), rejected: [...rejected, ...letters] };
  }

  /** Handles documents that the store will never accept: the batch is decided, and all else of it is saved. */
  documents(page: BatchPage, fault: Fault): readonly Rejected[] {
    const { fold, metrics } = this.#options;
    const letters = refusedDocuments(this.#place(), page, fault);
    metrics.count('faultline_rejected_total', { processor: fold.name }, letters.length);
    return letters;
  }

  #refusedOf(emitted: readonly Emitted[]): Map<Emitted, string> {
    const refused = new Map<Emitted, string>();
    for (const one of emitted) {
      const reason = this.#options.emitter.refuses(one);
      if (reason !== null) refused.set(one, reason);
    }
    return refused;
  }

  #outputLetter(emitted: Emitted, error: unknown, appendedAt: number): Rejected {
    return rejectedOutput({ ...this.#place(), appendedAt }, emitted, error);
  }

  #place(): RecordPosition {
    const { fold, partition, clock } = this.#options;
    return { processor: fold, partition, at: clock.now() };
  }

  #add(letter: Rejected, position: number, batch: StepBatch): void {
    const { fold, metrics } = this.#options;
    batch.receipt(position, refusal);
    metrics.count('faultline_processor_errors_total', { processor: fold.name });
    if (batch.rejected.some(({ id }) => id === letter.id)) return;
    batch.rejected.push(letter);
    metrics.count('faultline_rejected_total', { processor: fold.name });
  }
}
