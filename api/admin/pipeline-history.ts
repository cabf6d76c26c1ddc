import { endpoint, mount } from '#api/surfaces/endpoint.ts';
import { isPlatformAdmin } from '#application/operations/platform-admin.ts';
import { rounded } from '#domain/numbers.ts';
import { type ProcessorStanding, STEP_MS, type Step } from '#domain/pipeline/history.ts';
import { PipelineHistoryView } from '#schemas/http/admin/operations.ts';
import { wrapped } from '#schemas/http/envelope.ts';
import { iso } from '#schemas/http/time.ts';

interface Shown {
  readonly steps: readonly Step[];
  /** Null: all of it. */
  readonly ofPartition: number | null;
}

const lagOf = ({ lags }: ProcessorStanding, partition: number | null): number | null => {
  if (partition !== null) return lags.get(partition) ?? null;
  return [...lags.values()].reduce((sum, lag) => sum + lag, 0);
};

const stageOf = (name: string, { steps, ofPartition }: Shown) => {
  const each = (of: (standing: ProcessorStanding, ms: number) => number | null) =>
    steps.map(({ stages, ms }) => {
      const standing = stages.get(name);
      return standing === undefined ? null : of(standing, ms);
    });
  const ofAll = (of: (standing: ProcessorStanding, ms: number) => number | null) =>
    each((standing, ms) => (ofPartition === null ? of(standing, ms) : null));
  return {
    name,
    lag: each((standing) => lagOf(standing, ofPartition)),
    read_per_second: ofAll(({ tally }, ms) => rounded((tally.read / ms) * 1_000)),
    emitted_per_second: ofAll(({ tally }, ms) => rounded((tally.emitted / ms) * 1_000)),
    errors: ofAll(({ tally }) => tally.errors),
    batch_ms: ofAll(({ tally: { batches, seconds } }) => (batches === 0 ? null : rounded((seconds / batches) * 1_000))),
  };
};

const view = (shown: Shown) => ({
  step_seconds: STEP_MS / 1_000,
  at: shown.steps.map(({ at }) => iso(at)),
  stages: [...(shown.steps.at(-1)?.stages.keys() ?? [])].map((name) => stageOf(name, shown)),
});

export const showPipelineHistory = endpoint<void, Shown>({
  id: 'admin.pipeline.history',
  summary: 'Show the last hour of the pipeline in steps of 10 seconds',
  description:
    'As the process that answers has seen it since it started. What waits is of the partition of the tenant, for a platform administrator of all of them.',
  tag: 'Operations',
  permission: 'pipeline.read',
  limit: 'standard',
  mounts: [
    mount({
      on: 'platform',
      method: 'get',
      path: '/admin/pipeline/history',
      reply: wrapped(PipelineHistoryView),
      read: () => undefined,
      present: (shown) => ({ body: view(shown) }),
    }),
  ],
  handle: async (_, context) => ({
    steps: context.ports.memory.pipeline.steps,
    ofPartition: isPlatformAdmin(context) ? null : context.ports.operations.partitionOf(context.tenant),
  }),
});
