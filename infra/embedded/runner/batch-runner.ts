import { itemAt } from '#domain/assert.ts';
import { isNewArrival } from '#domain/correlation/grouping/arrival-queue.ts';
import type { CorrelationInput } from '#domain/correlation/records.ts';
import type { Event } from '#domain/event/event.ts';
import type { Incoming, Receipt } from '#domain/event/incoming.ts';
import { errorMessage } from '#domain/fault.ts';
import {
  Batch,
  openStages,
  type Sources,
  type Stage,
  type StepMeter,
  type StepWork,
  step,
} from '#domain/pipeline/batch.ts';
import type { Entry, EventKey, Pipeline, Reads } from '#domain/pipeline/processor.ts';
import type { Clock } from '#domain/ports/clock.ts';
import type { Metrics } from '#domain/ports/metrics.ts';
import type { Tracing } from '#domain/ports/tracing/tracing.ts';
import { type PackedDecision, packDecision } from '#infra/embedded/correlation/decision-row.ts';
import type { RejectedEntry } from '#infra/embedded/records/dead-letters.ts';
import { isStorageFailure } from '#infra/embedded/sqlite/errors.ts';
import type { Snapshot } from '#infra/embedded/warmup/snapshot.ts';
import { type Handled, handledOf, measureHandled, stepMeter } from '#infra/measure-steps.ts';
import { correlationHits, eventsIncoming, eventsSaved } from '#schemas/topics/topics.ts';
import type { Pending } from './request-queue.ts';

/** One batch passing all processors; nothing is on disk before the commit. */
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
    const reason = errorMessage(error);
    batch.rejected.push({ entry, topic: processor.input, processor: processor.name, reason });
    if (!batch.receipts.has(entry.position)) {
      batch.receipt(entry.position, { ok: false, fault: 'internal', message: "Couldn't process the record" });
    }
  };

/** Runs a batch through all processors in reading order, until nothing new is emitted. */
const pass = (stages: readonly Stage[], batch: PipelineBatch, { through, meter, read }: PassOptions): void => {
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
  throw new Error('The pipeline keeps producing records for itself');
};

/**
 * Reads and writes of the runner. It reads rows as the batch before left them, committed or pending; synchronously, so
 * that no other change interferes.
 */
export interface BatchStore extends Sources {
  events(keys: readonly EventKey[]): readonly Event[];
  /**
   * Submits all changes of the batch and its end position, as one transaction. Resolves when they are durable, with the
   * duration, ms; rejects when the file stays unchanged, and so does every later commit before `resume`.
   */
  commit(batch: PipelineBatch, through: number): Promise<number>;
  /** Accepts commits again after a failed one, when all earlier ones are in the file; memory has to be read again. Rejects when the store still fails. */
  resume(): Promise<void>;
  /** `told` runs when any batch is lost, or durable commits cannot be applied, which no commit reports. */
  onFailure(told: (error: Error) => void): void;
  /**
   * Tests with a small write if the store accepts writes again. A new thread applies durable batches first, and reuses
   * the number of a failed entry.
   */
  probe(): Promise<void>;
  /** Stores a record that cannot be saved as a dead letter; to be called when no batch is pending. */
  reject(entry: Entry<Incoming>, reason: string): void;
  /** Position of the last committed record. */
  cursor(): number;
  isStorageFailure(error: unknown): boolean;
  /** Reads for refilling memory, from the file. */
  refill(): Snapshot;
}

export interface BatchRunnerOptions {
  readonly store: BatchStore;
  readonly pipeline: Pipeline;
  readonly clock: Clock;
  readonly metrics: Metrics;
  readonly tracing?: Tracing | null;
  readonly log: { error(details: object, message: string): void; info(details: object, message: string): void };
}

const NOTHING_TOUCHED: Receipt = { ok: true, outcome: 'ignored', id: null, count: 0, correlationId: null };

/** The group that merge found for the event in the same batch. */
const withGroup = (receipt: Receipt, batch: PipelineBatch): Receipt => {
  if (!receipt.ok || receipt.id === null || receipt.correlationId !== null) return receipt;
  const correlationId = batch.changed.get(receipt.id)?.event.correlationId ?? null;
  return correlationId === null ? receipt : { ...receipt, correlationId };
};

/** A stepped batch that waits for its commit. */
interface Stepped {
  /** Position of its last record. */
  readonly through: number;
  readonly committed: Promise<number>;
  /** Answers for each append, in order. */
  readonly answers: readonly (readonly Receipt[])[];
  readonly rejected: PipelineBatch['rejected'];
  /** Times of receipt of new events that were decided, ms. */
  readonly correlated: readonly number[];
  readonly handled: readonly Handled[];
}

const answersOf = (taken: readonly Pending[], batch: PipelineBatch, first: number): (readonly Receipt[])[] => {
  let position = first;
  const answer = (): Receipt => withGroup(batch.receipts.get(position++) ?? NOTHING_TOUCHED, batch);
  return taken.map(({ records }) => records.map(answer));
};

/** Reads in one call the events that a processor is about to need; everything else is read on demand. */
const readEvents = (
  store: Pick<BatchStore, 'events'>,
  { changed }: PipelineBatch,
  read: Map<string, Event>,
  reads: Reads,
): void => {
  const named = reads.joined ?? reads.events ?? [];
  const missing = named.filter(({ id }) => !changed.has(id) && !read.has(id));
  if (missing.length > 0) for (const event of store.events(missing)) read.set(event.id, event);
};

/** Returns the times of receipt of new events that were made in the batch, and so decided in it. */
const decidedIn = (batch: PipelineBatch): number[] => {
  const received: number[] = [];
  for (const { value } of batch.entries(correlationHits) as readonly Entry<CorrelationInput>[]) {
    if (!isNewArrival(value)) continue;
    const made = batch.changed.get(value.arrival.eventId);
    if (made !== undefined) received.push(made.event.createdAt);
  }
  return received;
};

/**
 * The processors with their memory, and the positions they have reached. The next batch may be stepped while one is committed. A
 * failure leaves memory ahead of the file: restore before the next batch, when no other is pending.
 */
export class BatchRunner {
  readonly #options: BatchRunnerOptions;
  readonly #meter: StepMeter;
  #stages: readonly Stage[] = [];
  /** Position of the last record that was stepped. */
  #stepped = 0;
  #position = 0;

  constructor(options: BatchRunnerOptions) {
    this.#options = options;
    this.#meter = stepMeter(options.metrics);
  }

  get stages(): readonly Stage[] {
    return this.#stages;
  }
  /** Position of the last committed record. */
  get position(): number {
    return this.#position;
  }

  /** Drops all memory and reads it again from the store. */
  async restore(): Promise<void> {
    const { store, pipeline, clock } = this.#options;
    await store.resume();
    const stages = openStages(pipeline);
    const rows = store.refill();
    try {
      for (const { processor, state } of stages) await processor.restore(state, rows, clock.now());
    } finally {
      // Not awaited: its thread ends later.
      void rows.close();
    }
    this.#stages = stages;
    this.#stepped = this.#position = store.cursor();
  }

  /** Steps the appends through all processors, submits the changes, and answers when they are durable. */
  async run(taken: readonly Pending[]): Promise<void> {
    const { tracing } = this.#options;
    const work = async () => {
      const batch = this.#step(taken);
      return { stepped: batch, ms: await batch.committed };
    };
    const traces = tracing == null ? [] : taken.map(({ traceparent }) => traceparent);
    const { stepped, ms } = await (tracing?.during('correlate', traces, work) ?? work());
    this.#options.metrics.observe('faultline_commit_seconds', {}, ms / 1000);
    this.#position = stepped.through;
    for (const [index, { resolve }] of taken.entries()) resolve(itemAt(stepped.answers, index));
    this.#report(stepped);
  }

  /** Drops the batch itself before the commit, since long-lived objects cost the garbage collector most. */
  #step(taken: readonly Pending[]): Stepped {
    const { store, metrics } = this.#options;
    const read = new Map<string, Event>();
    const batch: PipelineBatch = new Batch({ sources: store, read, pack: packDecision });
    const entries = batch.entries(eventsIncoming);
    const first = this.#stepped + 1;
    let through = this.#stepped;
    for (const { tenant, records, traceparent } of taken) {
      for (const value of records) {
        entries.push({ tenant, position: ++through, value });
        if (traceparent !== undefined) this.#options.tracing?.learn({ tenant, position: through }, traceparent);
      }
    }
    metrics.observe('faultline_batch_records', {}, entries.length);
    this.#stepped = through;
    pass(this.#stages, batch, { through, meter: this.#meter, read: (reads) => readEvents(store, batch, read, reads) });
    const committed = store.commit(batch, through);
    return {
      through,
      committed,
      answers: answersOf(taken, batch, first),
      rejected: batch.rejected,
      correlated: decidedIn(batch),
      handled: handledOf(batch.entries(eventsSaved)),
    };
  }

  #report({ rejected, correlated, handled }: Stepped): void {
    const { metrics, log, clock } = this.#options;
    measureHandled(metrics, handled);
    for (const { processor, reason, entry } of rejected) {
      metrics.count('faultline_processor_errors_total', { processor });
      metrics.count('faultline_rejected_total', { processor });
      log.error({ processor, tenant: entry.tenant, position: entry.position, reason }, 'record rejected');
    }
    const now = clock.now();
    for (const createdAt of correlated)
      metrics.observe('faultline_accepted_to_correlated_seconds', {}, Math.max(0, now - createdAt) / 1000);
  }

  /** Runs one record by itself; it becomes a dead letter when it cannot be stored. Throws when the store fails. */
  async runAlone(tenant: string, value: Incoming): Promise<Receipt> {
    const { store, metrics } = this.#options;
    let receipts: readonly Receipt[] = [];
    const reject = (): void => undefined;
    try {
      await this.run([{ tenant, records: [value], resolve: (answers) => (receipts = answers), reject }]);
      return receipts[0] ?? NOTHING_TOUCHED;
    } catch (error) {
      if (store.isStorageFailure(error)) throw error;
      store.reject({ tenant, position: this.#position, value }, errorMessage(error));
      metrics.count('faultline_rejected_total', { processor: 'store' });
      await this.restore();
      return { ok: false, fault: 'internal', message: "Couldn't store the record" };
    }
  }
}
