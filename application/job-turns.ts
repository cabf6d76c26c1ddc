import type { Clock, Every } from '#domain/ports/clock.ts';
import type { JobOutcome, JobReport, JobRun } from '#domain/ports/jobs.ts';
import type { Log } from '#domain/ports/log.ts';
import type { Metrics } from '#domain/ports/metrics.ts';
import type { Job, JobWork } from './job.ts';
import { LEASE_MS, type Lease, leaseOn } from './records/lease.ts';

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
const leaseMsOf = ({ everyMs }: Job): number => Math.max(LEASE_MS, everyMs) + SLACK_MS;

/** Why a run is to stop early. */
interface Told {
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

  constructor(job: Job, options: TurnOptions) {
    this.job = job;
    this.#options = options;
    this.#nextAt = options.clock.now() + job.everyMs;
  }

  get isRunning(): boolean {
    return this.#running !== null;
  }

  start(work: JobWork, owner: string): void {
    const { atStart, everyMs, name } = this.job;
    const { every, metrics } = this.#options;
    metrics.gauge('faultline_job_period_seconds', { name }, everyMs / 1_000);
    this.#noteSuccess(work.startedAt);
    this.#nextAt = work.startedAt + everyMs;
    this.#stopTimer = every(everyMs, () => this.#turn(work, owner));
    if (atStart) this.#turn(work, owner);
  }

  /** Resolves when the run that is going on has ended. */
  async stop(): Promise<void> {
    this.#stopping = true;
    this.#stopTimer();
    await this.#running;
    // The lease runs out by itself.
    await this.#lease?.release().catch(() => undefined);
  }

  report(): JobReport {
    const { name, everyMs } = this.job;
    const [last, lastSuccessAt] = [this.#last, this.#lastSuccessAt];
    return { name, everyMs, last, lastSuccessAt, runningSince: this.#runningSince, nextAt: this.#nextAt };
  }

  /** A turn that comes while a run is going on is left out. */
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
    const told: Told = { outcome: null };
    const note = (outcome: JobOutcome, error: unknown) =>
      this.#note({ at, durationMs: now() - since, outcome, error: error === null ? null : String(error) }, error);
    const stopLate = every(this.job.timeoutMs, () => {
      stopLate();
      told.outcome = 'late';
      note('late', new Error(`It takes longer than ${this.job.timeoutMs / 60_000} min`));
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

  async #runLeased(work: JobWork, owner: string, told: Told): Promise<'done' | 'elsewhere'> {
    const isStopping = () => this.#stopping || told.outcome !== null;
    if (!this.job.isLeased) {
      await this.job.run(work, isStopping);
      return 'done';
    }
    const lease = await leaseOn(work.ports, { kind: KIND, id: this.job.name }, owner, leaseMsOf(this.job));
    this.#lease = lease;
    if (lease === null) return 'elsewhere';
    // While the store does not answer, no other process can take the lease.
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
    if (error !== null) log.error({ err: error, job: name }, 'a job failed, and will be tried again');
    if (run.outcome === 'done') this.#lastSuccessAt = run.at;
    // The process that has the lease measures whether it succeeds.
    if (error === null) this.#noteSuccess(run.at);
  }

  #noteSuccess(at: number): void {
    this.#options.metrics.gauge('faultline_job_last_success_timestamp_seconds', { name: this.job.name }, at / 1_000);
  }
}
