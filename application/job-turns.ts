import type { Clock, Every } from '#domain/ports/clock.ts';
import type { JobOutcome, JobReport, JobRun, Lease } from '#domain/ports/jobs.ts';
import type { Log } from '#domain/ports/log.ts';
import type { Metrics } from '#domain/ports/metrics.ts';
import { SYSTEM_TENANT } from '#domain/ports/record-store.ts';
import type { Job, JobWork } from './job.ts';
import { LEASE_MS } from './records/leases.ts';

export interface TurnOptions {
  readonly clock: Clock;
  /** Monotonic, ms. */
  readonly now: () => number;
  readonly every: Every;
  readonly metrics: Metrics;
  readonly log: Pick<Log, 'error'>;
}

const KIND = 'job-lease';
/** A lease outlasts the period by this: so the process that had it has it again. */
const SLACK_MS = 10_000;
const LEASED_MS = LEASE_MS + SLACK_MS;

/** The last run of a job that is not due at every start. */
interface LastRun {
  readonly at: number;
  readonly owner: string;
}
const LAST_KIND = 'job-run';

/** Such jobs run when they are due, however often processes start. Their lease ends with the run: no dead process has it for hours. */
export const isSeldom = ({ everyMs, atStart, isLeased }: Job): boolean =>
  everyMs > LEASE_MS && isLeased === true && atStart !== true;
/** Jobs that are due at a start begin one after the other, not to burden it. */
const FIRST_MS = 15_000;
const APART_MS = 10_000;

/** Reason to stop a run early. */
interface StopReason {
  outcome: 'late' | 'elsewhere' | null;
}

/** The runs of one job in this process: never two at once. */
export class JobTurns {
  readonly job: Job;
  readonly #options: TurnOptions;
  #last: JobRun | null = null;
  #lastSuccessAt: number | null = null;
  #runningSince: number | null = null;
  #nextAt: number;
  #running: Promise<void> | null = null;
  #lease: Lease | null = null;
  #stopping = false;
  #stopTimer: () => void = () => undefined;
  #stopFirst: () => void = () => undefined;

  constructor(job: Job, options: TurnOptions) {
    this.job = job;
    this.#options = options;
    this.#nextAt = options.clock.now() + job.everyMs;
  }

  get isRunning(): boolean {
    return this.#running !== null;
  }

  /** `place`: number of jobs possibly due at the start that precede this one. */
  start(work: JobWork, owner: string, place = 0): void {
    const { atStart, everyMs, name } = this.job;
    const { every, metrics } = this.#options;
    metrics.gauge('faultline_job_period_seconds', { name }, everyMs / 1_000);
    this.#noteSuccess(work.startedAt);
    this.#nextAt = work.startedAt + everyMs;
    this.#stopTimer = every(everyMs, () => this.#turn(work, owner));
    if (atStart) this.#turn(work, owner);
    if (isSeldom(this.job)) void this.#planFirst(work, owner, FIRST_MS + place * APART_MS);
  }

  /** One period after the last run, soon when that is over. */
  async #planFirst(work: JobWork, owner: string, soonMs: number): Promise<void> {
    const { everyMs } = this.job;
    const { clock, every } = this.#options;
    const last = await this.#lastRun(work).catch(() => null);
    // A run ahead of now was dated by a clock that was.
    const sinceMs = last === null || last.at > clock.now() ? everyMs : clock.now() - last.at;
    const delayMs = Math.max(soonMs, everyMs - sinceMs);
    if (this.#stopping || delayMs >= everyMs) return;
    this.#nextAt = work.startedAt + delayMs;
    this.#stopFirst = every(delayMs, () => {
      this.#stopFirst();
      this.#turn(work, owner);
    });
  }

  async #lastRun({ ports }: JobWork): Promise<LastRun | null> {
    return (await ports.records.get<LastRun>(SYSTEM_TENANT, LAST_KIND, this.job.name))?.body ?? null;
  }

  /** Resolves when the current run has ended. */
  async stop(): Promise<void> {
    this.#stopping = true;
    this.#stopTimer();
    this.#stopFirst();
    await this.#running;
    // The lease runs out by itself.
    await this.#lease?.release().catch(() => undefined);
  }

  report(): JobReport {
    const { name, everyMs } = this.job;
    const [last, lastSuccessAt] = [this.#last, this.#lastSuccessAt];
    return { name, everyMs, last, lastSuccessAt, runningSince: this.#runningSince, nextAt: this.#nextAt };
  }

  /** A turn during a run is skipped. */
  #turn(work: JobWork, owner: string): void {
    this.#nextAt = this.#options.clock.now() + this.job.everyMs;
    this.#running ??= this.#run(work, owner).finally(() => {
      this.#running = null;
      this.#runningSince = null;
    });
  }

  async #run(work: JobWork, owner: string): Promise<void> {
    const { clock, every, now } = this.#options;
    const [at, since] = [clock.now(), now()];
    this.#runningSince = at;
    const told: StopReason = { outcome: null };
    const note = (outcome: JobOutcome, error: unknown) =>
      this.#note({ at, durationMs: now() - since, outcome, error: error === null ? null : String(error) }, error);
    const stopLate = every(this.job.timeoutMs, () => {
      stopLate();
      told.outcome = 'late';
      note('late', new Error(`Timed out after ${this.job.timeoutMs / 60_000} min`));
    });
    try {
      const outcome = await this.#runLeased(work, owner, told);
      if (told.outcome !== 'late') note(outcome, null);
    } catch (error) {
      if (told.outcome !== 'late') note('failed', error);
    } finally {
      stopLate();
    }
  }

  async #runLeased(work: JobWork, owner: string, told: StopReason): Promise<'done' | 'elsewhere' | 'paused'> {
    const isStopping = () => this.#stopping || told.outcome !== null;
    if (this.job.needsClock && !work.clockWatch.isSettled()) return 'paused';
    if (!this.job.isLeased) {
      await this.job.run(work, isStopping);
      return 'done';
    }
    const lease = await work.ports.leases.take({ kind: KIND, id: this.job.name }, owner, LEASED_MS);
    this.#lease = lease;
    if (lease === null) return 'elsewhere';
    if (!isSeldom(this.job)) return this.#runHolding(lease, work, told);
    try {
      return await this.#runWhenDue(lease, work, owner, told);
    } finally {
      this.#lease = null;
      // The lease runs out by itself.
      await lease.release().catch(() => undefined);
    }
  }

  /** Its own timer decides when it is due; work of another process in this period is not repeated. */
  async #runWhenDue(lease: Lease, work: JobWork, owner: string, told: StopReason): Promise<'done' | 'elsewhere'> {
    const at = this.#options.clock.now();
    const last = await this.#lastRun(work);
    const agoMs = last === null ? null : at - last.at;
    const isDone = last !== null && last.owner !== owner && agoMs !== null && agoMs >= 0;
    if (isDone && agoMs < this.job.everyMs - SLACK_MS) return 'elsewhere';
    const outcome = await this.#runHolding(lease, work, told);
    if (told.outcome === null && !this.#stopping)
      await work.ports.records.put<LastRun>(SYSTEM_TENANT, LAST_KIND, this.job.name, { at, owner });
    return outcome;
  }

  async #runHolding(lease: Lease, work: JobWork, told: StopReason): Promise<'done' | 'elsewhere'> {
    const isStopping = () => this.#stopping || told.outcome !== null;
    // While the store does not answer, no other process can acquire the lease.
    const renew = async () => {
      if (!(await lease.renew().catch(() => true))) told.outcome ??= 'elsewhere';
    };
    const stopRenewing = this.#options.every(LEASE_MS / 2, () => void renew());
    try {
      await this.job.run(work, isStopping);
    } finally {
      stopRenewing();
    }
    return told.outcome === 'elsewhere' ? 'elsewhere' : 'done';
  }

  #note(run: JobRun, error: unknown): void {
    const { metrics, log } = this.#options;
    const { name } = this.job;
    this.#last = run;
    metrics.count('faultline_job_runs_total', { name, outcome: run.outcome });
    metrics.observe('faultline_job_seconds', { name }, run.durationMs / 1_000);
    if (error !== null) log.error({ err: error, job: name }, 'job failed, will retry');
    if (run.outcome === 'done') this.#lastSuccessAt = run.at;
    // The process that has the lease measures whether it succeeds.
    if (error === null) this.#noteSuccess(run.at);
  }

  #noteSuccess(at: number): void {
    this.#options.metrics.gauge('faultline_job_last_success_timestamp_seconds', { name: this.job.name }, at / 1_000);
  }
}
