import type { Jobs } from '#domain/ports/jobs.ts';
import type { Log } from '#domain/ports/log.ts';
import type { Job, JobWork } from './job.ts';
import { isSeldom, JobTurns, type TurnOptions } from './job-turns.ts';

/** Time after which current runs are abandoned, ms: their process ends. */
export const STOP_MS = 30_000;

interface RunnerOptions extends TurnOptions {
  readonly jobs: readonly Job[];
  readonly log: Pick<Log, 'error' | 'warn'>;
}

export interface JobRunner extends Jobs {
  start(work: JobWork): void;
  /** Prevents further runs; resolves when current ones have ended, after 30 s at most. */
  stop(): Promise<void>;
}

/** Runs each job every period, never twice at once in this process. A failed job is logged and continues. */
export const openJobRunner = ({ jobs, ...options }: RunnerOptions): JobRunner => {
  const all = jobs.map((job) => new JobTurns(job, options));
  const { promise: waitedLongEnough, resolve: leave } = Promise.withResolvers<void>();
  return {
    reports: () => all.map((turns) => turns.report()),
    start(work) {
      const owner = work.ports.ids.ulid();
      let place = 0;
      for (const turns of all) turns.start(work, owner, isSeldom(turns.job) ? place++ : 0);
    },
    async stop() {
      const stopWaiting = options.every(STOP_MS, () => {
        const running = all.filter(({ isRunning }) => isRunning).map(({ job }) => job.name);
        options.log.warn({ jobs: running }, 'exiting while jobs are still running');
        leave();
      });
      await Promise.race([Promise.all(all.map((turns) => turns.stop())), waitedLongEnough]);
      stopWaiting();
    },
  };
};
