import type { Pipeline } from '#domain/pipeline/processor.ts';
import type { Pauses } from '#domain/pipeline/sinks.ts';
import type { Clock } from '#domain/ports/clock.ts';
import type { Deadline } from '#domain/ports/deadline.ts';
import type { Ids } from '#domain/ports/ids.ts';
import type { Housekeeping } from '#domain/ports/jobs.ts';
import type { Metrics } from '#domain/ports/metrics.ts';
import type { PartitionReport, ProcessorReport } from '#domain/ports/operations.ts';
import type { BackendPorts, Ports } from '#domain/ports/ports.ts';
import type { Sink } from '#domain/ports/sink.ts';
import type { Tracing } from '#domain/ports/tracing/tracing.ts';

/** Needed in both modes. */
export interface BackendOptions {
  readonly pipeline: Pipeline;
  readonly sinks: readonly Sink[];
  readonly clock: Clock;
  readonly deadline: Deadline;
  readonly ids: Ids;
  readonly metrics: Metrics;
  /** Null: no traces. */
  readonly tracing: Tracing | null;
  /** Another process has changed the topology of the tenant, or may have changed that of any (null). */
  readonly heardOfTopology?: (tenant: string | null) => void;
  readonly log: {
    info(fields: object, message: string): void;
    warn(fields: object, message: string): void;
    error(fields: object, message: string): void;
  };
}

export interface BackendCheck {
  readonly name: string;
  readonly ok: boolean;
  readonly detail: string;
  /** Worth a look, but no reason to send requests elsewhere. */
  readonly advisory?: boolean;
}

const counted = (number: number, thing: string): string => `${number} ${thing}${number === 1 ? '' : 's'}`;

/** Age from which a waiting record is reported. */
const OLD_MS = 60_000;
const NAMED = 5;

/** The partitions whose oldest record has waited longest: how many records wait there, and for how long the oldest. */
const waitingIn = (partitions: readonly PartitionReport[]): string =>
  partitions
    .map(({ partition, lag, waitingMs = 0 }) => ({ partition, lag, waitingMs }))
    .filter(({ waitingMs }) => waitingMs >= OLD_MS)
    .toSorted((a, b) => b.waitingMs - a.waitingMs)
    .slice(0, NAMED)
    .map(({ partition, lag, waitingMs }) => {
      const minutes = Math.floor(waitingMs / 60_000);
      return `; partition ${partition}: ${counted(lag, 'record')} pending, the oldest for ${minutes}m`;
    })
    .join('');

/** Returns one line per processor and sink: a problem with one delays grouping, while ingest continues as before. */
export const processorChecks = (reports: readonly ProcessorReport[]): BackendCheck[] =>
  reports.map(({ name, kind, members, partitions, trouble, paused }) => {
    const lag = partitions.reduce((sum, one) => sum + one.lag, 0);
    const detail = trouble?.detail ?? `${counted(members.length, 'member')}, ${counted(lag, 'record')} behind`;
    const waits = waitingIn(partitions) + (paused === null ? '' : '; paused');
    const what = kind === 'sink' ? 'sink' : 'processor';
    return { name: `${what} ${name}`, ok: trouble === null, detail: detail + waits, advisory: true };
  });

/** Stores that both backends have under the names of their ports. */
export const STORES = [
  'events',
  'sweeps',
  'eventCounts',
  'eventHistory',
  'eventAggregates',
  'eventSummaries',
  'correlation',
  'correlationHistory',
  'links',
  'groupRows',
  'searchIndex',
] as const;
export const TOPOLOGY_READERS = ['topology', 'estate', 'graph', 'matcher', 'counts', 'history'] as const;

/** Returns an object with the members of those names. */
export const picked = <T extends object, K extends keyof T>(from: T, ...names: readonly K[]): Pick<T, K> =>
  Object.fromEntries(names.map((name) => [name, from[name]])) as Pick<T, K>;

/** Storage and pipeline: one file in this process, or four engines. */
export interface Backend {
  readonly ports: BackendPorts;
  /** Null: no other connection sees it. */
  readonly databasePath: string | null;
  readonly housekeeping: Housekeeping;
  readonly sinks: {
    /** Those of this process run from now on until `close`. To be called once. */
    start(ports: Ports): Promise<void>;
    pause(pauses: Pauses): void;
  };
  checks(): Promise<readonly BackendCheck[]>;
  /** Sets the gauges; to be called before measurements are shown. */
  measure(): Promise<void>;
  /** Resolves when nothing waits in the pipeline. */
  idle(): Promise<void>;
  close(): Promise<void>;
}
