import type { Operations, ProcessorReport } from '#domain/ports/operations.ts';
import type { OpenSink, Sink, SinkBacklog } from '#domain/ports/sink.ts';
import { SinkTaker } from '#infra/sink-taker.ts';
import type { Commit } from './owner/commits.ts';
import type { Owner } from './owner/owner.ts';
import { SinkOwner, type SinkOwnerOptions } from './owner/sink-owner.ts';

interface Surroundings extends Pick<SinkOwnerOptions, 'emitter' | 'clock' | 'metrics' | 'isPaused' | 'isHurried'> {
  readonly open: OpenSink;
  readonly operations: Pick<Operations, 'pipeline'>;
  committed(partition: number): Promise<Commit | null>;
}

/** Time that new events wait for the pipeline while sinks let them go first, ms. */
const LATE_MS = 1_000;

const isLate = ({ kind, partitions }: ProcessorReport): boolean =>
  kind !== 'sink' && partitions.some(({ waitingMs = 0 }) => waitingMs > LATE_MS);

/** Creates owners of a sink. The next owner of a partition in this process remembers earlier failures. */
export const sinkOwners = (
  sink: Sink,
  { open, operations, committed, ...rest }: Surroundings,
): ((partition: number) => Owner) => {
  const takers = new Map<number, SinkTaker>();
  return (partition) => {
    const taker = takers.get(partition) ?? new SinkTaker({ sink: open });
    takers.set(partition, taker);
    const waiting = async (offset: number): Promise<SinkBacklog> => {
      // Brokers that do not answer in time have much to do.
      const reports = await operations.pipeline().catch(() => null);
      const report = reports?.find(({ name }) => name === sink.name);
      const end = report?.partitions.find((one) => one.partition === partition)?.end ?? 0;
      return { lag: Math.max(0, end - offset), isPipelineLate: reports?.some(isLate) ?? true };
    };
    return new SinkOwner({ ...rest, sink, taker, partition, waiting, committed: () => committed(partition) });
  };
};
