import type { Context } from '#api/surfaces/endpoint.ts';
import { endpoint, on } from '#api/surfaces/endpoint.ts';
import { listDeadLetters } from '#application/operations/dead-letters.ts';
import { isPlatformAdmin } from '#application/operations/platform-admin.ts';
import type { JobReport } from '#domain/ports/jobs.ts';
import type { PartitionReport, ProcessorReport } from '#domain/ports/operations.ts';
import { PipelineView } from '#schemas/http/admin/operations.ts';
import { wrapped } from '#schemas/http/envelope.ts';
import { iso, isoOrNull } from '#schemas/http/time.ts';

interface PipelineStatus {
  readonly processors: readonly ProcessorReport[];
  readonly waiting: number;
  readonly atLeast: boolean;
  readonly jobs: readonly JobReport[];
  /** Null: all of it. */
  readonly ofPartition: number | null;
}

const sum = (partitions: readonly PartitionReport[], of: (one: PartitionReport) => number): number =>
  partitions.reduce((total, one) => total + of(one), 0);

const statusOf = ({ trouble, paused }: ProcessorReport): string =>
  trouble?.kind ?? (paused === null ? 'running' : 'paused');

/** The view of a tenant: the lag of its own partition, and whether all is well; other tenants stay hidden. */
const viewOf = (ofPartition: number | null) => (report: ProcessorReport) => {
  const { name, kind, paused, input, members, lastError, trouble } = report;
  const all = ofPartition === null;
  const partitions = report.partitions.filter(({ partition }) => all || partition === ofPartition);
  return {
    name,
    kind,
    input,
    status: statusOf(report),
    detail: all ? (trouble?.detail ?? null) : null,
    paused: all && paused !== null ? { by: paused.by, at: iso(paused.at) } : null,
    members: members.length,
    position: sum(partitions, ({ position }) => position),
    lag: sum(partitions, ({ lag }) => lag),
    last_error: all && lastError !== null ? { message: lastError.message, at: isoOrNull(lastError.at) } : null,
    partitions: partitions.map((one) => ({ ...one, member: all ? one.member : null })),
    processes: all ? members : [],
  };
};

const jobOf = (ofPartition: number | null) => (report: JobReport) => {
  const { name, everyMs, last, lastSuccessAt, runningSince, nextAt } = report;
  return {
    name,
    every_seconds: everyMs / 1_000,
    outcome: last?.outcome ?? null,
    last_run: isoOrNull(last?.at ?? null),
    duration_ms: last === null ? null : Math.round(last.durationMs),
    last_success: isoOrNull(lastSuccessAt),
    running_since: isoOrNull(runningSince),
    next_run: iso(nextAt),
    error: ofPartition === null ? (last?.error ?? null) : null,
  };
};

const show = async (context: Context): Promise<PipelineStatus> => {
  const { operations, jobs } = context.ports;
  const [processors, letters] = await Promise.all([
    operations.pipeline(),
    listDeadLetters(context, { state: 'waiting', limit: 0 }),
  ]);
  const ofPartition = isPlatformAdmin(context) ? null : operations.partitionOf(context.tenant);
  return {
    processors,
    waiting: letters.total,
    atLeast: letters.nextCursor !== null,
    jobs: jobs.reports(),
    ofPartition,
  };
};

export const showPipeline = endpoint<void, PipelineStatus>({
  id: 'admin.pipeline',
  summary: 'Get pipeline status',
  description: 'Tenant administrators see their partition; platform administrators see all.',
  tag: 'Operations',
  permission: 'pipeline.read',
  mounts: on.platform.get('/admin/pipeline', {
    reply: wrapped(PipelineView),
    read: () => undefined,
    present: ({ processors, waiting, atLeast, jobs, ofPartition }) => ({
      body: {
        processors: processors.map(viewOf(ofPartition)),
        dead_letters: { waiting, at_least: atLeast },
        jobs: jobs.map(jobOf(ofPartition)),
      },
    }),
  }),
  handle: (_, context) => show(context),
});
