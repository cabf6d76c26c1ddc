import type { Admin, Kafka } from 'kafkajs';
import { Fault } from '#domain/fault.ts';
import { readPosition } from '#domain/live/position.ts';
import { paired } from '#domain/paired.ts';
import type { Listening, LiveChanges } from '#domain/ports/live/live-changes.ts';
import type { Tell } from '#infra/announced-topology.ts';
import { partitionOf } from '#infra/kafka/client/partition.ts';
import type { Codecs } from '#infra/kafka/codec/codecs.ts';
import { LiveHub, LiveHubs } from '#infra/live-hubs.ts';
import { pause, within } from '#infra/wait.ts';
import type { TopicName } from '#schemas/topics/values.ts';
import { changesOf, LANES } from './lanes.ts';
import { LiveReader, type LiveRecord } from './live-reader.ts';

export interface KafkaLiveOptions {
  readonly kafka: Pick<Kafka, 'consumer' | 'admin'>;
  readonly admin: Pick<Admin, 'fetchTopicOffsets'>;
  readonly codecs: Pick<Codecs, 'of'>;
  /** Of every topic that is keyed by tenant. */
  readonly partitions: number;
  readonly epoch: number;
  /** Begins the names of the groups of this start of the process. */
  readonly group: string;
  readonly tellTopology: Tell;
  readonly log: { warn(fields: object, message: string): void };
  /** After so many ms lists show what was saved before; more than a refresh of Elasticsearch. */
  readonly refreshMs?: number;
}

export interface KafkaLiveChanges extends LiveChanges {
  close(): Promise<void>;
}

const REFRESH_MS = 1_200;
const OFFSETS_MS = 5_000;

const unavailable = (): Fault =>
  new Fault('unavailable', 'Changes cannot be followed right now', [], { retryAfter: 5 });

/** None of a record that cannot be read. */
const readableChanges = (...read: Parameters<typeof changesOf>): ReturnType<typeof changesOf> =>
  changesOf(...read).catch((error: unknown) => {
    if (error instanceof Fault && error.kind === 'unavailable') throw error;
    return [];
  });

/** The offset behind the last record, by topic and partition. */
const endsOf = async (admin: KafkaLiveOptions['admin']): Promise<Map<TopicName, number[]>> => {
  const all = await within(OFFSETS_MS, Promise.all(LANES.map((topic) => admin.fetchTopicOffsets(topic))), unavailable);
  return new Map(
    paired(LANES, all).map(([topic, ends]) => {
      const offsets: number[] = [];
      for (const { partition, high } of ends) offsets[partition] = Number(high);
      return [topic, offsets];
    }),
  );
};

/** A position beyond the end of the log is of a log that was lost. */
async function isBeyond(
  admin: KafkaLiveOptions['admin'],
  from: string,
  lanes: readonly number[],
  partition: number,
): Promise<boolean> {
  const position = readPosition(from);
  if (position === null || !position.lanes.some((last, lane) => last > (lanes[lane] ?? -1))) return false;
  const end = await endsOf(admin);
  return position.lanes.some((last, lane) => {
    const topic = LANES[lane];
    return last >= (topic === undefined ? 0 : (end.get(topic)?.[partition] ?? 0));
  });
}

/**
 * Changes as the log has them. While somebody listens, this process reads all topics of the lanes in a group of its own. A position has
 * the log's epoch and the offsets of the tenant's partition.
 */
export const openLiveChanges = (options: KafkaLiveOptions): KafkaLiveChanges => {
  const { kafka, admin, codecs, partitions, epoch, log, tellTopology, refreshMs = REFRESH_MS } = options;
  let reading: Promise<LiveReader> | null = null;
  let groups = 0;
  const closing = new Set<Promise<void>>();
  let isClosed = false;

  const closeReader = (): void => {
    const closed = reading?.then((reader) => reader.close()).catch(() => undefined);
    reading = null;
    if (closed === undefined) return;
    closing.add(closed);
    void closed.finally(() => closing.delete(closed));
  };
  const hubs = new LiveHubs(closeReader);
  const take = async ({ topic, offset, tenant, value }: LiveRecord): Promise<void> => {
    const hub = hubs.of(tenant);
    if (hub !== undefined) hub.add(LANES.indexOf(topic), offset, await readableChanges(codecs, topic, value));
  };
  const begin = async (): Promise<LiveReader> => {
    const from = await endsOf(admin);
    const reader: LiveReader = new LiveReader({
      kafka,
      group: `${options.group}.${++groups}`,
      from,
      take,
      missed: (partition) => {
        for (const [tenant, hub] of hubs.all())
          if (partitionOf(tenant, partitions) === partition) hub.miss(reader.lanes(partition));
      },
      failed: (err) => {
        log.warn({ err }, 'the reader of live changes failed; streams end, and their readers connect again');
        hubs.end();
        closeReader();
      },
    });
    reader.start();
    return reader;
  };
  const reader = async (): Promise<LiveReader> => {
    if (isClosed) throw unavailable();
    reading ??= begin();
    const own = reading;
    try {
      return await own;
    } catch (error) {
      if (reading === own) reading = null;
      throw error instanceof Fault ? error : unavailable();
    }
  };
  return {
    async listen(tenant, from, listener) {
      const partition = partitionOf(tenant, partitions);
      const lanes = (await reader()).lanes(partition);
      const known = from !== null && (await isBeyond(admin, from, lanes, partition)) ? '' : from;
      // Awaited anew: while nobody listened it may have been closed.
      const current = await reader();
      const make = (): LiveHub => new LiveHub(String(epoch), current.lanes(partition));
      const listening: Listening = hubs.listen(tenant, known, listener, make);
      if (reading === null) {
        hubs.end();
        throw unavailable();
      }
      if (from === null || listening.isGap) await pause(refreshMs);
      return listening;
    },
    recordChanged: (tenant, of, id) => tellTopology({ tenant, of, kind: 'updated', ids: [id] }),
    async close() {
      isClosed = true;
      hubs.end();
      closeReader();
      await Promise.all(closing);
    },
  };
};
