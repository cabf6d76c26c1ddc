import type { AnyProcessor, Entry, Pipeline } from '#domain/pipeline/processor.ts';
import type { Metrics } from '#domain/ports/metrics.ts';
import { isStorageFailure } from '#infra/embedded/sqlite/errors.ts';
import type { Batch } from './batch.ts';

/** A processor with its memory, and how much of its input it has taken in this batch. */
export interface Stage {
  readonly processor: AnyProcessor;
  readonly state: unknown;
}

/** Feedback ends after assigning: incoming → … → merge → incoming (`assigned`) → saved. More rounds mean a loop. */
const MAX_ROUNDS = 4;

const take = ({ processor, state }: Stage, entries: readonly Entry<unknown>[], batch: Batch): void => {
  if (processor.kind === 'fold') batch.prefetch(processor.reads(state, entries));
  for (const entry of entries) {
    try {
      if (processor.kind === 'fold') processor.step(state, entry, batch, batch);
      else processor.match(state, entry, batch);
    } catch (error) {
      deadLetter(processor, entry, batch, error);
    }
  }
  if (processor.kind !== 'fold') return;
  const failed = (entry: Entry<unknown>, error: unknown): void => deadLetter(processor, entry, batch, error);
  processor.proceed?.(state, batch, { most: Number.POSITIVE_INFINITY, failed });
  processor.settle?.(state, batch);
};

/** A record that a step cannot handle becomes a dead letter and holds up nobody; a store that cannot be read fails the batch. */
const deadLetter = (processor: AnyProcessor, entry: Entry<unknown>, batch: Batch, error: unknown): void => {
  if (isStorageFailure(error)) throw error;
  const reason = error instanceof Error ? error.message : String(error);
  batch.reject({ entry, topic: processor.input, processor: processor.name, reason });
  if (!batch.receipts.has(entry.position)) {
    batch.receipt(entry.position, { ok: false, fault: 'internal', message: 'The record could not be processed' });
  }
};

/** Takes a batch through all processors in reading order, until nothing new is emitted. `through` is the last position. */
export const pass = (stages: readonly Stage[], batch: Batch, through: number, metrics: Metrics): void => {
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
        const start = performance.now();
        const before = batch.emitted;
        take(stage, fresh, batch);
        metrics.observe(
          'faultline_processor_step_seconds',
          { processor: processor.name },
          (performance.now() - start) / 1000,
        );
        metrics.count(
          'faultline_processor_records_total',
          { processor: processor.name, direction: 'in' },
          fresh.length,
        );
        const emitted = { processor: processor.name, direction: 'out' };
        metrics.count('faultline_processor_records_total', emitted, batch.emitted - before);
      }
      if (round === 0 && processor.kind === 'join') {
        processor.passed({ tenant: '', position: through, value: null }, batch);
      }
    }
    if (!progress) return;
  }
  throw new Error('The pipeline feeds itself without end');
};

export const openStages = (pipeline: Pipeline): Stage[] =>
  pipeline.map((processor) => ({ processor, state: processor.open() }));
