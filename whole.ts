import { coreEndpoints } from '#api/endpoints.ts';
import { opsEndpoints } from '#api/ops/ops.ts';
import type { AnyEndpoint } from '#api/surfaces/endpoint.ts';
import type { Job } from '#application/job.ts';
import { coreJobs } from '#application/jobs.ts';
import { leaseOf, queueOf } from '#application/tasks/places.ts';
import { jobOf, type TaskKind } from '#application/tasks/task.ts';
import { ACCESS_KINDS } from '#domain/access/records.ts';
import type { Measurement } from '#domain/pipeline/measurement.ts';
import type { OwnedRecords } from '#domain/ports/ports.ts';
import type { Sink } from '#domain/ports/sink.ts';
import type { Contributions } from '#features/feature.ts';
import { features } from '#features/features.ts';
import { coreSinks } from '#processors/sinks/sinks.ts';

/* The core and its features as one. */

/** Everything the service answers; read by the router, the documents, the limits and the conformance test. */
export const endpoints: readonly AnyEndpoint[] = [
  ...coreEndpoints,
  ...features.flatMap((one) => one.endpoints),
  ...opsEndpoints,
];

/** Given by features to one of them. */
export const contributed = <Name extends keyof Contributions>(to: Name): readonly Contributions[Name][] =>
  features.map(({ contributes }) => contributes?.[to]).filter((one) => one !== undefined);

/** Durable work that no request waits for. */
export const tasks: readonly TaskKind[] = features.flatMap((one) => one.tasks);

/** All periodic work. */
export const jobs: readonly Job[] = [...coreJobs, ...tasks.map(jobOf), ...features.flatMap((one) => one.jobs)];

/** The jobs of a process. */
export const jobsOf = (mode: 'embedded' | 'distributed', isWorker: boolean): readonly Job[] =>
  jobs.filter(({ runsIn }) => runsIn === 'everywhere' || runsIn === mode || (runsIn === 'api' && !isWorker));

/** Processors that read along and have effects outside the pipeline. */
export const sinks: readonly Sink[] = [...features.flatMap((one) => one.sinks), ...coreSinks];

/** Those of features, beside those of the core. */
export const measurements: readonly Measurement[] = features.flatMap((one) => one.measurements);

export const ownedRecords: OwnedRecords = {
  kinds: [
    ACCESS_KINDS.credential,
    ACCESS_KINDS.session,
    ACCESS_KINDS.passwordLink,
    ...tasks.map(queueOf),
    ...features.flatMap((one) => one.ownedKinds),
  ],
  leases: tasks.map(leaseOf),
};
