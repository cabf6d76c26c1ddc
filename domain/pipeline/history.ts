/** Counters of a processor in this process since its start. */
export interface Tally {
  readonly read: number;
  readonly emitted: number;
  readonly errors: number;
  readonly batches: number;
  /** In all of its batches, s. */
  readonly seconds: number;
}

/** How a processor stands: what this process did of it, and how far behind each partition is, whoever reads it. */
export interface ProcessorStanding {
  readonly tally: Tally;
  readonly lags: ReadonlyMap<number, number>;
}

/** The difference between two readings. */
export interface Step {
  /** End, ms. */
  readonly at: number;
  /** Since the look before, ms. */
  readonly ms: number;
  readonly stages: ReadonlyMap<string, ProcessorStanding>;
}

export const STEP_MS = 10_000;
/** An hour. */
export const MOST_STEPS = 360;

const NOTHING: Tally = { read: 0, emitted: 0, errors: 0, batches: 0, seconds: 0 };

const since = (before: Tally, now: Tally): Tally => ({
  read: now.read - before.read,
  emitted: now.emitted - before.emitted,
  errors: now.errors - before.errors,
  batches: now.batches - before.batches,
  seconds: now.seconds - before.seconds,
});

/** The last hour of the pipeline, as this process has seen it. */
export class PipelineHistory {
  #last: { readonly at: number; readonly stages: ReadonlyMap<string, ProcessorStanding> } | null = null;
  #steps: Step[] = [];

  /** Remembers what has happened since the last look; the first look has nothing before it. */
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
    if (this.#steps.length > MOST_STEPS) this.#steps = this.#steps.slice(-MOST_STEPS);
  }

  /** The oldest first. */
  get steps(): readonly Step[] {
    return this.#steps;
  }
}
