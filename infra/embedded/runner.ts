import type { Incoming, Receipt } from '#domain/event/incoming.ts';
import { Fault } from '#domain/fault.ts';
import type { Clock } from '#domain/ports/clock.ts';
import type { Metrics } from '#domain/ports/metrics.ts';
import type { Entry, Pipeline, Restorable } from '#domain/ports/processor.ts';
import { eventsIncoming } from '#schemas/topics/topics.ts';
import { Batch, type Sources } from './batch.ts';
import { openStages, pass, type Stage } from './pass.ts';
import { type Pending, RequestQueue } from './request-queue.ts';

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

export interface RunnerOptions {
  readonly store: BatchStore;
  readonly pipeline: Pipeline;
  readonly clock: Clock;
  readonly metrics: Metrics;
  /** Between two probes of a store that failed; 1 s. */
  readonly probeMs?: number;
  readonly log: { error(details: object, message: string): void; info(details: object, message: string): void };
}

/** Records per batch: larger batches share a commit, smaller ones keep the event loop free. */
const BATCH_RECORDS = 2_000;
/** Records that may wait; beyond this the API answers 503 with Retry-After. */
const QUEUE_RECORDS = 50_000;
/** A flush of fewer records waits a millisecond for company. */
const SMALL_BATCH = 16;
const PROBE_MS = 1_000;

const unavailable = (why: string): Fault =>
  new Fault('unavailable', `Events cannot be stored right now: ${why}. Send them again later.`, [], { retryAfter: 2 });

const NOTHING_TOUCHED: Receipt = { ok: true, outcome: 'ignored', id: null, count: 0, correlationId: null };

/** The group that merge found for the event in the same batch. */
const withGroup = (receipt: Receipt, batch: Batch): Receipt => {
  if (!receipt.ok || receipt.id === null || receipt.correlationId !== null) return receipt;
  const correlationId = batch.touched.get(receipt.id)?.event.correlationId ?? null;
  return correlationId === null ? receipt : { ...receipt, correlationId };
};

/** Takes batches through all processors and commits each once; waiting requests are answered after the commit. */
export class Runner {
  readonly #options: RunnerOptions;
  readonly #queue = new RequestQueue(QUEUE_RECORDS);
  #stages: Stage[] = [];
  #position = 0;
  #state: 'starting' | 'running' | 'recovering' | 'failed' | 'stopped' = 'starting';
  #recovery: Promise<void> = Promise.resolve();
  #lastError: string | null = null;
  #scheduled: 'none' | 'soon' | 'now' = 'none';
  #timer: NodeJS.Timeout | undefined;
  #idle: (() => void)[] = [];

  constructor(options: RunnerOptions) {
    this.#options = options;
  }

  get status(): {
    readonly state: string;
    readonly position: number;
    readonly waiting: number;
    readonly lastError: string | null;
  } {
    return { state: this.#state, position: this.#position, waiting: this.#queue.records, lastError: this.#lastError };
  }
  get stages(): readonly Stage[] {
    return this.#stages;
  }

  /** Refills the processors' memory from the store; nothing is taken in before. */
  async start(): Promise<void> {
    const began = performance.now();
    await this.#restore();
    const ms = Math.round(performance.now() - began);
    this.#options.log.info({ position: this.#position, ms }, 'pipeline is ready');
    this.#open();
  }

  async #restore(): Promise<void> {
    const { store, pipeline, clock } = this.#options;
    const stages = openStages(pipeline);
    const rows = store.restorable();
    for (const { processor, state } of stages) await processor.restore(state, rows, clock.now());
    this.#stages = stages;
    this.#position = store.cursor();
  }

  #open(): void {
    this.#lastError = null;
    if (this.#state === 'stopped') return;
    this.#state = 'running';
    this.#schedule();
    this.#tellIdle();
  }

  /** Receipts in the order of the records, after they are durable. */
  submit(tenant: string, records: readonly Incoming[], timeoutMs: number): Promise<readonly Receipt[]> {
    if (this.#state !== 'running') return Promise.reject(unavailable(this.#lastError ?? 'the pipeline is not running'));
    if (records.length === 0) return Promise.resolve([]);
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        if (this.#queue.remove(pending)) reject(unavailable('the pipeline is busy'));
      }, timeoutMs);
      const pending: Pending = {
        tenant,
        records,
        resolve: (receipts) => {
          clearTimeout(timer);
          resolve(receipts);
        },
        reject: (error) => {
          clearTimeout(timer);
          reject(error);
        },
      };
      if (!this.#queue.add(pending)) pending.reject(unavailable('too many events are waiting'));
      else this.#schedule();
    });
  }

  /** Resolves when nothing waits any more. */
  idle(): Promise<void> {
    if (this.#isIdle()) return Promise.resolve();
    return new Promise((resolve) => this.#idle.push(resolve));
  }

  #isIdle(): boolean {
    return this.#queue.records === 0 && this.#scheduled === 'none' && this.#state !== 'recovering';
  }

  #tellIdle(): void {
    if (this.#isIdle()) for (const resolve of this.#idle.splice(0)) resolve();
  }

  /** Finishes what was accepted; what a failed store still owes was refused already. */
  async stop(): Promise<void> {
    await this.idle();
    this.#state = 'stopped';
    clearTimeout(this.#timer);
    await this.#recovery;
    this.#queue.rejectAll(unavailable('the server is stopping'));
  }

  #schedule(): void {
    const waiting = this.#queue.records;
    if (waiting === 0 || this.#scheduled === 'now' || this.#state !== 'running') return;
    if (waiting < SMALL_BATCH) {
      if (this.#scheduled === 'none') {
        this.#scheduled = 'soon';
        this.#timer = setTimeout(() => this.#flush(), 1);
      }
      return;
    }
    clearTimeout(this.#timer);
    this.#scheduled = 'now';
    setImmediate(() => this.#flush());
  }

  #flush(): void {
    this.#scheduled = 'none';
    if (this.#state !== 'running') {
      this.#tellIdle();
      return;
    }
    const taken = this.#queue.take(BATCH_RECORDS);
    if (taken.length > 0) {
      try {
        this.#run(taken);
      } catch (error) {
        this.#recover(taken, error);
        return;
      }
    }
    this.#schedule();
    this.#tellIdle();
  }

  #run(taken: readonly Pending[]): void {
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
    metrics.gauge('faultline_queue_depth', {}, this.#queue.records);
  }

  /** After a failed batch memory is ahead of the file: drop it all and read it anew. Nothing else runs meanwhile. */
  #recover(taken: readonly Pending[], error: unknown): void {
    this.#fail(error);
    if (this.#options.store.isStorageFailure(error)) this.#refuse(taken);
    else {
      this.#state = 'recovering';
      this.#recovery = this.#isolate(taken);
    }
  }

  #fail(error: unknown): void {
    this.#state = 'failed';
    this.#lastError = error instanceof Error ? error.message : String(error);
    this.#options.log.error({ err: error }, 'a batch could not be committed');
  }

  /** Nothing of these is acknowledged, and nothing more is taken in until the store takes writes again. */
  #refuse(taken: readonly Pending[]): void {
    const fault = unavailable('the store does not take writes');
    for (const pending of taken) pending.reject(fault);
    this.#queue.rejectAll(fault);
    this.#tellIdle();
    this.#probe();
  }

  /** Takes the records of a refused batch again, one by one, so that the one to blame is found and set aside. */
  async #isolate(taken: readonly Pending[]): Promise<void> {
    try {
      await this.#restore();
      for (const pending of taken) {
        const receipts: Receipt[] = [];
        for (const value of pending.records) receipts.push(await this.#takeAlone(pending.tenant, value));
        pending.resolve(receipts);
      }
      this.#open();
    } catch (error) {
      this.#fail(error);
      this.#refuse(taken);
    }
  }

  /** Throws when the store fails. */
  async #takeAlone(tenant: string, value: Incoming): Promise<Receipt> {
    const { store, metrics } = this.#options;
    let receipts: readonly Receipt[] = [];
    const reject = (): void => undefined;
    try {
      this.#run([{ tenant, records: [value], resolve: (answers) => (receipts = answers), reject }]);
      return receipts[0] ?? NOTHING_TOUCHED;
    } catch (error) {
      if (store.isStorageFailure(error)) throw error;
      store.reject({ tenant, position: this.#position, value }, error instanceof Error ? error.message : String(error));
      metrics.count('faultline_rejected_total', { processor: 'store' });
      await this.#restore();
      return { ok: false, fault: 'internal', message: 'The record could not be stored' };
    }
  }

  #probe(): void {
    if (this.#state !== 'failed') return;
    this.#timer = setTimeout(() => {
      this.#recovery = this.#tryAgain();
    }, this.#options.probeMs ?? PROBE_MS);
  }

  async #tryAgain(): Promise<void> {
    if (this.#state !== 'failed') return;
    try {
      this.#options.store.probe();
      await this.start();
    } catch (error) {
      this.#lastError = error instanceof Error ? error.message : String(error);
      this.#probe();
    }
  }
}
