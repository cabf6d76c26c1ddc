import { coreEndpoints } from '#api/endpoints.ts';
import { opsEndpoints } from '#api/ops/ops.ts';
import type { AnyEndpoint } from '#api/surfaces/endpoint.ts';
import { type Job, jobOf } from '#application/job.ts';
import { coreJobs } from '#application/jobs.ts';
import { ACCESS_KINDS } from '#domain/access/records.ts';
import type { Measurement } from '#domain/pipeline/measurement.ts';
import type { OwnedRecords } from '#domain/ports/ports.ts';
import type { Sink } from '#domain/ports/sink.ts';
import { features } from '#features/features.ts';
import { coreSinks } from '#processors/sinks/sinks.ts';

/* The core and its features as one. */

/** Everything the service answers; read by the router, the documents, the limits and the conformance test. */
export const endpoints: readonly AnyEndpoint[] = [
  ...coreEndpoints,
  ...features.flatMap((one) => one.endpoints),
  ...opsEndpoints,
];

export const background = features.flatMap((one) => one.background);

/** All periodic work. */
export const jobs: readonly Job[] = [...coreJobs, ...background.map(jobOf), ...features.flatMap((one) => one.jobs)];

/** The jobs of a process. */
export const jobsOf = (mode: 'embedded' | 'distributed', isWorker: boolean): readonly Job[] =>
  jobs.filter(({ runsIn }) => runsIn === 'everywhere' || runsIn === mode || (runsIn === 'api' && !isWorker));

/** Processors that read along and have effects outside the pipeline. */
export const sinks: readonly Sink[] = [...features.flatMap((one) => one.sinks), ...coreSinks];

/** Those of features, beside those of the core. */
export const measurements: readonly Measurement[] = features.flatMap((one) => one.measurements);

export const ownedRecords: OwnedRecords = {
  kinds: [ACCESS_KINDS.credential, ACCESS_KINDS.session, ...features.flatMap((one) => one.ownedRecords.kinds)],
  leases: features.flatMap((one) => one.ownedRecords.leases),
};
