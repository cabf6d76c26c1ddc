/** Counters of a processor in this process since its start. */
export interface ProcessorCounters {
  readonly read: number;
  readonly emitted: number;
  readonly errors: number;
  readonly batches: number;
  /** Time of all of its batches, s. */
  readonly seconds: number;
}

/** State of a processor: the work of this process, and the lag of each partition, whichever process reads it. */
export interface ProcessorStanding {
  readonly tally: ProcessorCounters;
  readonly lags: ReadonlyMap<number, number>;
}

/** The difference between two readings. */
export interface PipelineStep {
  /** End, ms. */
  readonly at: number;
  /** Time since the previous check, ms. */
  readonly ms: number;
  readonly stages: ReadonlyMap<string, ProcessorStanding>;
}

export const STEP_MS = 10_000;
/** An hour. */
export const MAX_STEPS = 360;

const NOTHING: ProcessorCounters = { read: 0, emitted: 0, errors: 0, batches: 0, seconds: 0 };

const since = (before: ProcessorCounters, now: ProcessorCounters): ProcessorCounters => ({
  read: now.read - before.read,
  emitted: now.emitted - before.emitted,
  errors: now.errors - before.errors,
  batches: now.batches - before.batches,
  seconds: now.seconds - before.seconds,
});

/** The last hour of the pipeline, as this process has seen it. */
export class PipelineHistory {
  #last: { readonly at: number; readonly stages: ReadonlyMap<string, ProcessorStanding> } | null = null;
  #steps: PipelineStep[] = [];

  /** Records the events since the last sample; the first sample has nothing before it. */
  look(at: number, stages: ReadonlyMap<string, ProcessorStanding>): void {
    const last = this.#last;
    this.#last = { at, stages };
    // A clock that was set back measures no time.
    if (last === null || at <= last.at) return;
    const changed = [...stages].map(([name, { tally, lags }]): [string, ProcessorStanding] => [
      name,
      { tally: since(last.stages.get(name)?.tally ?? NOTHING, tally), lags },
    ]);
    this.#steps.push({ at, ms: at - last.at, stages: new Map(changed) });
    if (this.#steps.length > MAX_STEPS) this.#steps = this.#steps.slice(-MAX_STEPS);
  }

  /** The oldest first. */
  get steps(): readonly PipelineStep[] {
    return this.#steps;
  }
}
