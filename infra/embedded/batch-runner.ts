import type { Incoming, Receipt } from '#domain/event/incoming.ts';
import type { Clock } from '#domain/ports/clock.ts';
import type { Metrics } from '#domain/ports/metrics.ts';
import type { Entry, Pipeline, Restorable } from '#domain/ports/processor.ts';
import { eventsIncoming } from '#schemas/topics/topics.ts';
import { Batch, type Sources } from './batch.ts';
import { openStages, pass, type Stage } from './pass.ts';
import type { Pending } from './request-queue.ts';

/** What the runner writes with, all inside one synchronous transaction. */
export interface BatchStore extends Sources {
  /** Writes everything the batch changed and the position it reached, or throws and leaves the file as it was. */
  commit(batch: Batch, through: number): void;
  /** A small write that shows whether the store takes writes again. */
  probe(): void;
  /** Keeps a record that cannot be saved, with its reason. */
  reject(entry: Entry<Incoming>, reason: string): void;
  /** Position of the last committed record. */
  cursor(): number;
  isStorageFailure(error: unknown): boolean;
  restorable(): Restorable;
}

export interface BatchRunnerOptions {
  readonly store: BatchStore;
  readonly pipeline: Pipeline;
  readonly clock: Clock;
  readonly metrics: Metrics;
  readonly log: { error(details: object, message: string): void; info(details: object, message: string): void };
}

const NOTHING_TOUCHED: Receipt = { ok: true, outcome: 'ignored', id: null, count: 0, correlationId: null };

/** The group that merge found for the event in the same batch. */
const withGroup = (receipt: Receipt, batch: Batch): Receipt => {
  if (!receipt.ok || receipt.id === null || receipt.correlationId !== null) return receipt;
  const correlationId = batch.touched.get(receipt.id)?.event.correlationId ?? null;
  return correlationId === null ? receipt : { ...receipt, correlationId };
};

/** The processors with their memory, and the position they have reached. A throw leaves memory ahead of the file: restore before the next batch. */
export class BatchRunner {
  readonly #options: BatchRunnerOptions;
  #stages: readonly Stage[] = [];
  #position = 0;

  constructor(options: BatchRunnerOptions) {
    this.#options = options;
  }

  get stages(): readonly Stage[] {
    return this.#stages;
  }
  /** Position of the last committed record. */
  get position(): number {
    return this.#position;
  }

  /** Drops all memory and reads it anew from the store. */
  async restore(): Promise<void> {
    const { store, pipeline, clock } = this.#options;
    const stages = openStages(pipeline);
    const rows = store.restorable();
    for (const { processor, state } of stages) await processor.restore(state, rows, clock.now());
    this.#stages = stages;
    this.#position = store.cursor();
  }

  /** Takes the appends through all processors, commits once and answers. */
  run(taken: readonly Pending[]): void {
    const { store, metrics } = this.#options;
    const batch = new Batch(store);
    const entries = batch.entries(eventsIncoming);
    let position = this.#position;
    for (const { tenant, records } of taken) {
      for (const value of records) entries.push({ tenant, position: ++position, value });
    }
    const records = entries.length;
    pass(this.#stages, batch, position, metrics);
    const start = performance.now();
    store.commit(batch, position);
    metrics.observe('faultline_commit_seconds', {}, (performance.now() - start) / 1000);
    metrics.observe('faultline_batch_records', {}, records);
    const first = this.#position + 1;
    this.#position = position;
    this.#answer(taken, batch, first);
    this.#report(batch);
  }

  #answer(taken: readonly Pending[], batch: Batch, first: number): void {
    let position = first;
    for (const pending of taken) {
      pending.resolve(pending.records.map(() => withGroup(batch.receipts.get(position++) ?? NOTHING_TOUCHED, batch)));
    }
  }

  #report(batch: Batch): void {
    const { metrics, log, clock } = this.#options;
    for (const { processor, reason, entry } of batch.rejected) {
      metrics.count('faultline_processor_errors_total', { processor });
      metrics.count('faultline_rejected_total', { processor });
      log.error({ processor, tenant: entry.tenant, position: entry.position, reason }, 'record rejected');
    }
    const now = clock.now();
    for (const { event, parts } of batch.touched.values()) {
      if (parts.has('created') && parts.has('assigned')) {
        metrics.observe('faultline_accepted_to_correlated_seconds', {}, Math.max(0, now - event.createdAt) / 1000);
      }
    }
  }

  /** One record by itself: what cannot be stored is set aside. Throws when the store fails. */
  async runAlone(tenant: string, value: Incoming): Promise<Receipt> {
    const { store, metrics } = this.#options;
    let receipts: readonly Receipt[] = [];
    const reject = (): void => undefined;
    try {
      this.run([{ tenant, records: [value], resolve: (answers) => (receipts = answers), reject }]);
      return receipts[0] ?? NOTHING_TOUCHED;
    } catch (error) {
      if (store.isStorageFailure(error)) throw error;
      store.reject({ tenant, position: this.#position, value }, error instanceof Error ? error.message : String(error));
      metrics.count('faultline_rejected_total', { processor: 'store' });
      await this.restore();
      return { ok: false, fault: 'internal', message: 'The record could not be stored' };
    }
  }
}
