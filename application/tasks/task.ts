import { HOUR_MS, type Job } from '#application/job.ts';
import type { Every } from '#domain/ports/clock.ts';
import type { Ports } from '#domain/ports/ports.ts';
import type { RecordStore, StoredRecord } from '#domain/ports/record-store.ts';

/** A place in a queue. It belongs to the system, so that one list finds those of all tenants. */
export interface Task {
  readonly tenant: string;
  /** Id of the record that it is about, in its tenant. */
  readonly id: string;
  /** Time of the request, ms. */
  readonly at: number;
  /** Number of starts, or of failures; absent: none. */
  readonly tries?: number;
}
export type Place = StoredRecord<Task>;

/** Thrown by work that this process releases though it has not failed: the task stays in its queue. */
export class LetGo extends Error {}

export interface TaskOptions {
  readonly every: Every;
  /** Receives errors that no tick throws. */
  readonly failed: (error: unknown) => void;
  /** Prefix of links that others receive; empty: unknown. */
  readonly publicUrl: string;
}

/** One task at work. */
export interface TaskTurn extends Omit<TaskOptions, 'every'> {
  readonly ports: Ports;
  readonly task: Task;
  /** Aborted with `LetGo` when this process stops, another one has the task, or it was canceled. */
  readonly signal: AbortSignal;
}
export interface StoredTaskTurn<T> extends TaskTurn {
  /** The record that the task is about. */
  readonly thing: StoredRecord<T>;
}

/** Work of the same effect when it runs twice. */
type Chore = (ports: Ports, isStopping: () => boolean) => Promise<void>;

interface Tasks extends Pick<Job, 'everyMs' | 'atStart'> {
  /** Name of its wakeup signal, and of the job that finds tasks without a signal. */
  readonly name: string;
  /** Text for the log, when an error has no other way. */
  readonly failure: string;
  /** Text by which the job reports failing tasks; absent: the same. */
  readonly stuck?: string;
  /** Records are called by it: `-queue`, by tenant and id, and `-lease`, by key. */
  readonly about: string;
  /** Maximum at once in one process. */
  readonly atOnce: number;
  /** Events may find their CI by it. */
  readonly bindsEvents?: true;
  /** Runs before each check of the queue. */
  readonly sources?: readonly Chore[];
  /** Done every `everyMs`, whether or not the bell is rung. */
  readonly looks?: readonly Chore[];
  /** The part of them that has more to do. */
  readonly unfinished?: { isLeft(ports: Ports): boolean; readonly some: Chore };
}

/**
 * Tasks that are stored in a queue until they are done or canceled. One at a time per tenant, in the order of arrival.
 */
export interface StoredTasks<T> extends Tasks {
  /** `tenant`: another task is refused as long as there is one. `many`: those of one tenant need not wait for each other. */
  readonly places: 'tenant' | 'queue' | 'many';
  /**
   * Maximum of attempts. `failed`: a store that is down does not count, nor does a process that dies. `begun`: all
   * count except a process that stops; `unended` is the reason then.
   */
  readonly tries: { readonly most: number } & (
    | { readonly counted: 'failed' }
    | { readonly counted: 'begun'; readonly unended: string }
  );
  find(records: RecordStore, tenant: string, id: string): Promise<StoredRecord<T> | null>;
  /** It has not ended. */
  isOpen(thing: T): boolean;
  /** Throws Fault `unprocessable` when another try would be in vain. */
  run(turn: StoredTaskTurn<T>): Promise<void>;
  /** Ends it for good. */
  giveUp(turn: StoredTaskTurn<T>, reason: string): Promise<void>;
}

/** Tasks that show in other records, by id one at a time. The job does not wait for them: there may always be more. */
export interface FoundTasks extends Tasks {
  waiting(ports: Ports, isStopping: () => boolean): AsyncIterable<Task>;
  run(turn: TaskTurn): Promise<void>;
  /** True if the current run includes later changes. */
  takesAlong(ports: Ports, task: Task): boolean;
}

/** Durable work that no request waits for, as a value; the runner does bells, turns, leases, retries and the end. */
export type TaskKind = StoredTasks<unknown> | FoundTasks;

/** Finds tasks without a signal. */
export const jobOf = ({ name, everyMs, atStart }: TaskKind): Job => ({
  name,
  everyMs,
  ...(atStart && { atStart }),
  runsIn: 'api',
  timeoutMs: HOUR_MS,
  run: async ({ tasks }) => tasks.get(name)?.tick(),
});
