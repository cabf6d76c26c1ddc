import type { Housekeeping } from '#domain/ports/jobs.ts';
import type { Log } from '#domain/ports/log.ts';
import type { Tallies } from '#domain/ports/metrics.ts';
import type { Ports } from '#domain/ports/ports.ts';
import type { TokenWatch } from './access/token-watch.ts';
import type { ClockWatch } from './operations/clock-watch.ts';

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;

/** Everything that jobs may use. */
export interface JobWork {
  readonly ports: Ports;
  readonly housekeeping: Housekeeping;
  /** Runners of tasks, by the name of their kind. */
  readonly tasks: ReadonlyMap<string, { tick(): Promise<void> }>;
  readonly tokens: Pick<TokenWatch, 'look'>;
  readonly clockWatch: Pick<ClockWatch, 'tick' | 'isSettled'>;
  readonly tallies: Tallies;
  readonly log: Pick<Log, 'info'>;
  /** Start of this process, ms. */
  readonly startedAt: number;
  /** Position of the search for silent events, by tenant. */
  readonly silence: Map<string, string>;
  /** Events that were last seen longer ago are deleted, ms. */
  readonly retentionMs: number;
}

/** The memory of jobs between runs begins here. */
export const openWork = (given: Omit<JobWork, 'startedAt' | 'silence'>): JobWork => ({
  ...given,
  startedAt: given.ports.clock.now(),
  silence: new Map(),
});

/** Periodic work as a value. The runner does times, leases, measurements and the log. */
export interface Job {
  /** Also the label of its measurements and its field in the log. */
  readonly name: string;
  readonly everyMs: number;
  /** `api`: processes that answer requests. The others: every process, or every one of that mode. */
  readonly runsIn: 'api' | 'everywhere' | 'embedded' | 'distributed';
  /** Runs at the start of the process, too; else first after one period, or when a period has passed since the last run of any process. */
  readonly atStart?: true;
  /** One process at a time does it. */
  readonly isLeased?: true;
  /** It deletes or ends something by the wall clock, for good: it does not run while that is not sure. */
  readonly needsClock?: true;
  /** A longer run is stopped, and counts as late. */
  readonly timeoutMs: number;
  /** `isStopping` holds when the process stops, the lease is lost or the run is late. */
  run(work: JobWork, isStopping: () => boolean): Promise<void>;
}
