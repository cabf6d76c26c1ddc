/**
 * `elsewhere`: another process has the lease, or did it in this period. `late`: the run exceeded its limit and was
 * stopped. `paused`: it deletes or ends by the time, and the clock was set lately.
 */
export const JOB_OUTCOMES = ['done', 'failed', 'late', 'elsewhere', 'paused'] as const;
export type JobOutcome = (typeof JOB_OUTCOMES)[number];

/** The last run of a job in this process. */
export interface JobRun {
  /** Start, ms. */
  readonly at: number;
  readonly outcome: JobOutcome;
  readonly durationMs: number;
  /** Null unless it failed or was late. */
  readonly error: string | null;
}

/** State of one job in this process; times in ms. */
export interface JobReport {
  readonly name: string;
  readonly everyMs: number;
  /** Null before the first run has ended. */
  readonly last: JobRun | null;
  /** Start of the last run that was done. */
  readonly lastSuccessAt: number | null;
  /** Start of the current run. */
  readonly runningSince: number | null;
  readonly nextAt: number;
}

/** The jobs of this process, in the order of their list. */
export interface Jobs {
  reports(): readonly JobReport[];
}

/** Periodic work inside the stores and the pipeline; `application/jobs.ts` has the times. */
export interface Housekeeping {
  /**
   * Moves documents that records carry to their own ids, and deletes records that every sink has consumed; unless
   * `byTime` is false also answered deliveries, recoveries and expired records.
   */
  tidyRecords(byTime: boolean): Promise<void>;
  /** Moves records that changes of the topology carry to the record store. */
  tidyTopology(): Promise<void>;
  /**
   * Resolves the open and deletes the resolved events that were last seen and last received before `before` (ms). Returns how many
   * were deleted.
   */
  deleteEvents(before: number, isStopping: () => boolean): Promise<number>;
  /** Stores the current errors of this process's processors, for other processes to show. */
  shareErrors(): Promise<void>;
}

/** The right to do work that one process at a time may do. */
export interface Lease {
  /** False when another process has it by now. */
  renew(): Promise<boolean>;
  release(): Promise<void>;
}

/** Kind and id of the record that represents the work. */
export interface Leased {
  readonly kind: string;
  readonly id: string;
}

export interface Leases {
  /**
   * Null while another owner has it. One that is not renewed for `ms` is free. Also for who has it already. To be asked again and again:
   * whether another one still renews it shows from one time to the next.
   */
  take(leased: Leased, owner: string, ms: number): Promise<Lease | null>;
}
