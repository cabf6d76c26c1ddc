import type { Incoming, Receipt } from '#domain/event/incoming.ts';
import { errorMessage, Fault } from '#domain/fault.ts';
import type { Stage } from '#domain/pipeline/batch.ts';
import { BatchRunner, type BatchRunnerOptions } from './batch-runner.ts';
import { Admission, type Pending, RequestQueue, type WaitingAppend } from './request-queue.ts';

export interface RunnerOptions extends BatchRunnerOptions {
  /** Pause between two probes of a store that failed; 1 s. */
  readonly probeMs?: number;
  /** While a batch runs, the next starts only with as many records, so that small ones share a batch. */
  readonly secondFrom?: number;
  /** Batches that run at once: some are being made durable while the next is stepped. */
  readonly maxRunning?: number;
}

const MAX_RUNNING = 6;
const SECOND_FROM = 16;
/** Records per batch: larger batches share a commit, smaller ones keep the event loop free. */
const BATCH_RECORDS = 1_000;
/** Records that may wait; beyond this the API answers 503 with Retry-After. */
const QUEUE_RECORDS = 50_000;
/** Large requests are let in while fewer records wait. */
const ROOM_RECORDS = 500;
const ROOM_WAIT_MS = 10_000;
/** Large requests that may wait, each as its body. */
const ROOM_WAITING = 200;
/** A flush of fewer records waits a millisecond for company. */
const SMALL_BATCH = 16;
const PROBE_MS = 1_000;
/** One check of all waiting ones instead of a timer for each. */
const CHECK_LATE_MS = 1_000;

const unavailable = (why: string): Fault =>
  new Fault('unavailable', `Can't store events: ${why}. Retry later`, [], { retryAfter: 2 });

const countRecords = (pendings: readonly Pending[]): number =>
  pendings.reduce((sum, { records }) => sum + records.length, 0);

const rejectAll = (pendings: readonly Pending[], why: string): void => {
  for (const pending of pendings) pending.reject(unavailable(why));
};

/** Groups waiting appends into batches and restores the pipeline when a batch fails. */
export class Runner {
  readonly #options: RunnerOptions;
  readonly #queue = new RequestQueue(QUEUE_RECORDS);
  readonly #batches: BatchRunner;
  readonly #admission = new Admission({
    hasRoom: () => this.#state !== 'running' || this.#queue.records < ROOM_RECORDS,
    waitMs: ROOM_WAIT_MS,
    most: ROOM_WAITING,
    refusal: () => unavailable('too many queued events'),
  });
  #state: 'starting' | 'running' | 'recovering' | 'failed' | 'stopped' = 'starting';
  #recovery: Promise<void> = Promise.resolve();
  #lastError: string | null = null;
  /** Running batches in the order of their records; failed batches stay until the last one has ended. */
  #running: { readonly taken: readonly Pending[]; hasFailed: boolean }[] = [];
  #failure: { readonly error: unknown } | null = null;
  #scheduled: 'none' | 'soon' | 'now' = 'none';
  #timer: NodeJS.Timeout | undefined;
  readonly #lateTimer: NodeJS.Timeout;
  #idle: (() => void)[] = [];

  constructor(options: RunnerOptions) {
    this.#options = options;
    this.#batches = new BatchRunner(options);
    options.store.onFailure((error) => this.storeFailed(error));
    this.#lateTimer = setInterval(() => this.#refuseLate(), CHECK_LATE_MS).unref();
  }

  get status(): {
    readonly state: string;
    readonly position: number;
    /** Records that are in no batch yet. */
    readonly waiting: number;
    /** Records whose requests have no answer. */
    readonly unanswered: number;
    /** Large requests that wait for room. */
    readonly admissions: number;
    readonly lastError: string | null;
  } {
    return {
      state: this.#state,
      position: this.#batches.position,
      waiting: this.#queue.records,
      unanswered: this.#running.reduce((sum, { taken }) => sum + countRecords(taken), this.#queue.records),
      admissions: this.#admission.waiting,
      lastError: this.#lastError,
    };
  }
  get stages(): readonly Stage[] {
    return this.#batches.stages;
  }

  /** Refills the processors' memory from the store; nothing is accepted before. */
  async start(): Promise<void> {
    const began = performance.now();
    await this.#batches.restore();
    const ms = Math.round(performance.now() - began);
    this.#options.log.info({ position: this.#batches.position, ms }, 'pipeline is ready');
    this.#open();
  }

  #open(): void {
    this.#lastError = null;
    if (this.#state === 'stopped') return;
    this.#state = 'running';
    this.#schedule();
    this.#tellIdle();
  }

  /** Resolves when a large request may be parsed and submitted; at once when that would be refused. */
  room(): Promise<void> {
    return this.#admission.enter();
  }

  /** Receipts in the order of the records, after they are durable. */
  submit(tenant: string, records: readonly Incoming[], timeoutMs: number): Promise<readonly Receipt[]> {
    if (this.#state !== 'running') return Promise.reject(unavailable(this.#lastError ?? 'the pipeline is not running'));
    if (records.length === 0) return Promise.resolve([]);
    return new Promise((resolve, reject) => {
      const traceparent = this.#options.tracing?.current();
      const waitsUntil = performance.now() + timeoutMs;
      const pending: WaitingAppend = { tenant, records, traceparent, waitsUntil, resolve, reject };
      if (!this.#queue.add(pending)) pending.reject(unavailable('too many queued events'));
      else this.#schedule();
    });
  }

  #refuseLate(): void {
    const now = performance.now();
    rejectAll(this.#queue.takeLate(now), 'the pipeline is busy');
    this.#admission.refuseLate(now);
    this.#admission.admitNext();
  }

  /** Resolves when nothing waits any more. */
  idle(): Promise<void> {
    if (this.#isIdle()) return Promise.resolve();
    return new Promise((resolve) => this.#idle.push(resolve));
  }

  #isIdle(): boolean {
    const isQuiet = this.#scheduled === 'none' && this.#running.length === 0 && this.#state !== 'recovering';
    return isQuiet && this.#queue.records === 0;
  }

  #tellIdle(): void {
    if (this.#isIdle()) for (const resolve of this.#idle.splice(0)) resolve();
  }

  /** Finishes all accepted records; those of a failed store were refused already. */
  async stop(): Promise<void> {
    await this.idle();
    this.#state = 'stopped';
    this.#admission.admitNext();
    clearTimeout(this.#timer);
    clearInterval(this.#lateTimer);
    await this.#recovery;
    this.#queue.rejectAll(unavailable('the server is stopping'));
  }

  #schedule(): void {
    const waiting = this.#queue.records;
    if (waiting === 0 || this.#scheduled === 'now' || this.#state !== 'running' || !this.#mayStart(waiting)) return;
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

  #mayStart(waiting: number): boolean {
    const running = this.#running.length;
    const { secondFrom = SECOND_FROM, maxRunning = MAX_RUNNING } = this.#options;
    return running === 0 || (running < maxRunning && waiting >= secondFrom);
  }

  #flush(): void {
    this.#scheduled = 'none';
    if (this.#state === 'running') {
      rejectAll(this.#queue.takeLate(performance.now()), 'the pipeline is busy');
      const taken = this.#queue.take(BATCH_RECORDS);
      if (taken.length > 0) this.#runBatch(taken);
      this.#admission.admitNext();
      this.#schedule();
    }
    this.#tellIdle();
  }

  #runBatch(taken: readonly Pending[]): void {
    const batch = { taken, hasFailed: false };
    this.#running.push(batch);
    this.#batches.run(taken).then(
      () => {
        this.#running.splice(this.#running.indexOf(batch), 1);
        this.#batchEnded();
      },
      (error) => {
        batch.hasFailed = true;
        this.#giveUp(error);
      },
    );
    this.#options.metrics.gauge('faultline_queue_depth', {}, this.#queue.records);
  }

  /** Recovery after a failure waits for the other running batches: they may have been committed before it. */
  #batchEnded(): void {
    if (this.#failure === null) {
      this.#schedule();
      this.#tellIdle();
    } else if (this.#running.every(({ hasFailed }) => hasFailed)) {
      const { error } = this.#failure;
      const taken = this.#running.flatMap((batch) => batch.taken);
      this.#failure = null;
      this.#running = [];
      this.#recover(taken, error);
    }
  }

  /**
   * No running batch has failed, but no further one may start: durable ones cannot be applied, or writes of others are
   * not accepted.
   */
  storeFailed(error: Error): void {
    if (this.#state === 'running') this.#giveUp(error);
  }

  /** The first error decides how to continue. */
  #giveUp(error: unknown): void {
    this.#failure ??= { error };
    this.#fail(error);
    this.#batchEnded();
  }

  /** Memory is ahead of the file after a failed batch: drops it all and reads it again. Nothing else runs meanwhile. */
  #recover(taken: readonly Pending[], error: unknown): void {
    if (this.#options.store.isStorageFailure(error)) this.#refuse(taken);
    else {
      this.#state = 'recovering';
      this.#recovery = this.#isolate(taken);
    }
  }

  #fail(error: unknown): void {
    this.#state = 'failed';
    this.#lastError = errorMessage(error);
    this.#options.log.error({ err: error }, 'failed to commit a batch to the database');
  }

  /** Refuses these without acknowledgment; nothing more is accepted until the store accepts writes again. */
  #refuse(taken: readonly Pending[]): void {
    const fault = unavailable('the store rejects writes');
    for (const pending of taken) pending.reject(fault);
    this.#queue.rejectAll(fault);
    this.#tellIdle();
    this.#probe();
  }

  /** Retries the records of a refused batch, one by one, so that the cause is found and set aside. */
  async #isolate(taken: readonly Pending[]): Promise<void> {
    try {
      await this.#batches.restore();
      for (const pending of taken) {
        const receipts: Receipt[] = [];
        for (const value of pending.records) receipts.push(await this.#batches.runAlone(pending.tenant, value));
        pending.resolve(receipts);
      }
      this.#open();
    } catch (error) {
      this.#fail(error);
      this.#refuse(taken);
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
      await this.#options.store.probe();
      await this.start();
    } catch (error) {
      this.#lastError = errorMessage(error);
      this.#probe();
    }
  }
}
