import type { Housekeeping } from '#domain/ports/jobs.ts';
import type { Log } from '#domain/ports/log.ts';
import type { Tallies } from '#domain/ports/metrics.ts';
import type { Ports } from '#domain/ports/ports.ts';
import type { Analyses } from '#features/analyzer/use-cases/infrastructure/background.ts';
import type { Background } from '#features/discovery/use-cases/background.ts';
import type { ReportMaker } from '#features/reports/use-cases/generating/report-maker.ts';
import { type Lifting, openLifting } from '#features/silences/use-cases/lift-silences.ts';
import type { Trials } from '#features/trials/use-cases/trials.ts';
import type { Deliverer } from '#features/webhooks/use-cases/delivery/deliverer.ts';
import type { TokenWatch } from './access/token-watch.ts';
import type { ClockWatch } from './operations/clock-watch.ts';

/** Everything that jobs may use. */
export interface JobWork {
  readonly ports: Ports;
  readonly housekeeping: Housekeeping;
  readonly discovery: Pick<Background, 'tick'>;
  readonly deliverer: Pick<Deliverer, 'tick'>;
  readonly analyses: Pick<Analyses, 'tick'>;
  readonly reports: Pick<ReportMaker, 'tick'>;
  readonly trials: Pick<Trials, 'tick'>;
  readonly tokens: Pick<TokenWatch, 'look'>;
  readonly clockWatch: Pick<ClockWatch, 'tick' | 'isSettled'>;
  readonly tallies: Tallies;
  readonly log: Pick<Log, 'info'>;
  /** Start of this process, ms. */
  readonly startedAt: number;
  /** Position of the search for silent events, by tenant. */
  readonly silence: Map<string, string>;
  readonly lifting: Lifting;
  /** Tenants of which the search index has all that was there before it. */
  readonly filled: Set<string>;
  /** Events that were last seen longer ago are deleted, ms. */
  readonly retentionMs: number;
}

/** The memory of jobs between runs begins here. */
export const openWork = (given: Omit<JobWork, 'startedAt' | 'silence' | 'lifting' | 'filled'>): JobWork => ({
  ...given,
  startedAt: given.ports.clock.now(),
  silence: new Map(),
  lifting: openLifting(),
  filled: new Set(),
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
  /** A run that takes longer is told to stop, and counts as late. */
  readonly timeoutMs: number;
  /** `isStopping` holds when the process stops, the lease is lost or the run is late. */
  run(work: JobWork, isStopping: () => boolean): Promise<void>;
}
