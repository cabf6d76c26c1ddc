import type { AnyProcessor, Effects, Entry, Found, Pipeline, Reads } from './processor.ts';

/** A processor with its memory. */
export interface Stage {
  readonly processor: AnyProcessor;
  readonly state: unknown;
}

/** Measurements of a step in both modes. */
export interface StepMeter {
  /** Monotonic, ms. */
  now(): number;
  observe(name: string, labels: Readonly<Record<string, string>>, value: number): void;
  count(name: string, labels: Readonly<Record<string, string>>, by: number): void;
}

/** Differences between the modes. */
export interface StepWork {
  /** Entries that wait in memory and are worked off at most. */
  readonly most: number;
  readonly meter: StepMeter;
  /** Reads what the entries need. Absent: it was read before. */
  read?(reads: Reads): void;
  /** Whether the processor takes the entry at `index` now; throws when the entry cannot be decoded. Absent: it takes all. */
  admits?(index: number): boolean;
  /** Sets an entry aside that the processor cannot handle, so that it holds up no other. Throws when the whole batch has failed. */
  reject(entry: Entry<unknown>, error: unknown): void;
}

/** Takes a batch of entries through one processor. True when more of what waits in its memory could be worked off now. */
export const step = (
  { processor, state }: Stage,
  entries: readonly Entry<unknown>[],
  batch: Effects & Found,
  work: StepWork,
): boolean => {
  const { meter } = work;
  const began = meter.now();
  let taken = 0;
  if (processor.kind === 'fold') work.read?.(processor.reads(state, entries));
  let index = 0;
  for (const entry of entries) {
    try {
      if (work.admits?.(index++) === false) continue;
      if (processor.kind === 'fold') processor.step(state, entry, batch, batch);
      else processor.match(state, entry, batch);
    } catch (error) {
      work.reject(entry, error);
    }
    taken += 1;
  }
  const more = processor.kind === 'fold' && settle(processor, state, batch, work);
  const labels = { processor: processor.name };
  meter.observe('faultline_processor_step_seconds', labels, (meter.now() - began) / 1000);
  meter.count('faultline_processor_records_total', { ...labels, direction: 'in' }, taken);
  return more;
};

type AnyFold = Extract<AnyProcessor, { kind: 'fold' }>;

/** Work of a fold once for all entries of the batch. */
const settle = (fold: AnyFold, state: unknown, batch: Effects, { most, reject }: StepWork): boolean => {
  const more = fold.proceed?.(state, batch, { most, failed: reject }) ?? false;
  fold.settle?.(state, batch);
  return more;
};

export const openStages = (pipeline: Pipeline): Stage[] =>
  pipeline.map((processor) => ({ processor, state: processor.open() }));
