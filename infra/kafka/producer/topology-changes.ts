import type { Kafka } from 'kafkajs';
import type { Metrics } from '#domain/ports/metrics.ts';
import { slices } from '#domain/slices.ts';
import type { TopologyChange } from '#domain/topology/change.ts';
import type { PublishChange, PublishedChange } from '#infra/change-publishing-topology.ts';
import { partitionOf } from '#infra/kafka/client/partition.ts';
import type { Codecs } from '#infra/kafka/codec/codecs.ts';
import { topologyChanged } from '#schemas/topics/topics.ts';
import { openBroadcast } from './broadcast.ts';
import type { Producer } from './producer.ts';

/** Ids per record; a put of a large scan becomes several. */
const IDS = 10_000;
const SEND_MS = 5_000;

export interface TellingOptions {
  readonly producer: Producer;
  readonly codecs: Codecs;
  readonly partitions: number;
  readonly metrics: Metrics;
  readonly log: { warn(fields: object, message: string): void };
}

/** Appends changes to the log without a waiting caller: lost ones are corrected by the maximum age of caches. */
export const openTelling = ({ producer, codecs, partitions, metrics, log }: TellingOptions): PublishChange => {
  let version = 0;
  const send = async (change: PublishedChange): Promise<void> => {
    version += 1;
    const record = { key: change.tenant, value: codecs.encode(topologyChanged, { ...change, version }) };
    await producer.send(topologyChanged, partitionOf(change.tenant, partitions), [record], { deadlineMs: SEND_MS });
  };
  const failed = (err: unknown): void => {
    metrics.count('faultline_topology_changes_untold_total');
    log.warn({ err }, 'failed to broadcast a topology change; other processes refresh within 1 minute');
  };
  return ({ ids, ...change }) => {
    for (const some of slices(ids, IDS)) send({ ...change, ids: some }).catch(failed);
  };
};

const isTopology = ({ of }: TopologyChange): boolean => of === 'ci' || of === 'relationship';

export interface HearingOptions {
  readonly kafka: Kafka;
  readonly codecs: Codecs;
  /** Identifies this start of the process among the writers to the log; it ignores its own changes. */
  readonly writer: string;
  readonly group: string;
  /** A tenant whose topology has changed, or null: any tenant's may have. */
  heard(tenant: string | null): void;
}

/** Receives the changes of other processes. */
export const openHearing = ({ kafka, codecs, writer, group, heard }: HearingOptions) =>
  openBroadcast({
    kafka,
    group,
    topic: topologyChanged,
    begun: () => heard(null),
    async take({ value, headers }) {
      if (value === null || headers?.writer?.toString() === writer) return;
      const change = await codecs.decode(topologyChanged, value).catch((): null => null);
      const told = change as TopologyChange | null;
      if (told === null || isTopology(told)) heard(told?.tenant ?? null);
    },
  });
