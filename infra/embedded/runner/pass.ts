import type { Batch } from '#domain/pipeline/batch.ts';
import type { Entry, Reads } from '#domain/pipeline/processor.ts';
import { type Stage, type StepMeter, type StepWork, step } from '#domain/pipeline/step.ts';
import type { PackedDecision } from '#infra/embedded/correlation/decision-row.ts';
import type { RejectedEntry } from '#infra/embedded/records/dead-letters.ts';
import { isStorageFailure } from '#infra/embedded/sqlite/errors.ts';

/** One batch on its way through all processors; nothing is on disk before the commit. */
export type PipelineBatch = Batch<PackedDecision, RejectedEntry>;

/** Feedback ends after assigning: incoming → … → merge → incoming (`assigned`) → saved. More rounds mean a loop. */
const MAX_ROUNDS = 4;

interface PassOptions {
  /** Position of the last record of the batch. */
  readonly through: number;
  readonly meter: StepMeter;
  /** Reads the events that a processor is about to need. */
  read(reads: Reads): void;
}

/** A record that a step cannot handle becomes a dead letter; a store that cannot be read fails the batch. */
const rejecter =
  ({ processor }: Stage, batch: PipelineBatch) =>
  (entry: Entry<unknown>, error: unknown): void => {
    if (isStorageFailure(error)) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    batch.rejected.push({ entry, topic: processor.input, processor: processor.name, reason });
    if (!batch.receipts.has(entry.position)) {
      batch.receipt(entry.position, { ok: false, fault: 'internal', message: 'The record could not be processed' });
    }
  };

/** Takes a batch through all processors in reading order, until nothing new is emitted. */
export const pass = (stages: readonly Stage[], batch: PipelineBatch, { through, meter, read }: PassOptions): void => {
  const taken = stages.map(() => 0);
  for (let round = 0; round < MAX_ROUNDS; round++) {
    let progress = false;
    for (const [index, stage] of stages.entries()) {
      const { processor } = stage;
      const all = batch.entries(processor.input);
      const from = taken[index] as number;
      const fresh = from === 0 ? all : all.slice(from);
      taken[index] = from + fresh.length;
      if (fresh.length > 0) {
        progress = true;
        const before = batch.emitted;
        const work: StepWork = { most: Number.POSITIVE_INFINITY, meter, read, reject: rejecter(stage, batch) };
        step(stage, fresh, batch, work);
        const emitted = { processor: processor.name, direction: 'out' };
        meter.count('faultline_processor_records_total', emitted, batch.emitted - before);
      }
      if (round === 0 && processor.kind === 'join') {
        processor.passed({ tenant: '', position: through, value: null }, batch);
      }
    }
    if (!progress) return;
  }
  throw new Error('The pipeline feeds itself without end');
};
