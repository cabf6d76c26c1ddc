import type { Every } from '#domain/ports/clock.ts';
import type { Housekeeping } from '#domain/ports/jobs.ts';
import type { Log } from '#domain/ports/log.ts';
import type { Tallies } from '#domain/ports/metrics.ts';
import type { Ports } from '#domain/ports/ports.ts';
import type { TokenWatch } from './access/token-watch.ts';
import type { ClockWatch } from './operations/clock-watch.ts';

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;

/** Work that no request waits for; of one kind there is one in a process. */
export interface Background {
  /** A request has left work. */
  wake(): void;
  /** Does what waits, and what a process has left that died. Throws when some of it failed. */
  tick(): Promise<void>;
  /** Resolves when nothing that this process was told of is left to do. */
  idle(): Promise<void>;
  /** Lets go of the work where another process can take it up. */
  stop(): Promise<void>;
}

export interface BackgroundOptions {
  readonly every: Every;
  /** Hears of errors that no tick throws. */
  readonly failed: (error: unknown) => void;
  /** Before the path of a link that others are told; empty: none is known. */
  readonly publicUrl: string;
}

/** The description of such work: the job of this name looks every `everyMs` for what nobody has told of. */
export interface BackgroundWork extends Pick<Job, 'name' | 'everyMs' | 'atStart'> {
  /** Events may find their CI by it. */
  readonly bindsEvents?: true;
  /** For the log, when an error has no other way. */
  readonly failure: string;
  open(ports: Ports, options: BackgroundOptions): Background;
}

/** The job that has it look. */
export const jobOf = ({ name, everyMs, atStart }: BackgroundWork): Job => ({
  name,
  everyMs,
  ...(atStart && { atStart }),
  runsIn: 'api',
  timeoutMs: HOUR_MS,
  run: async ({ background }) => background.get(name)?.tick(),
});

/** Everything that jobs may use. */
export interface JobWork {
  readonly ports: Ports;
  readonly housekeeping: Housekeeping;
  /** By name. */
  readonly background: ReadonlyMap<string, Pick<Background, 'tick'>>;
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
  /** A run that takes longer is told to stop, and counts as late. */
  readonly timeoutMs: number;
  /** `isStopping` holds when the process stops, the lease is lost or the run is late. */
  run(work: JobWork, isStopping: () => boolean): Promise<void>;
}
