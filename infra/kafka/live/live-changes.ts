import type { Admin, Consumer, Kafka, KafkaMessage } from 'kafkajs';
import { entryOf } from '#domain/assert.ts';
import type { GroupChange } from '#domain/correlation/records.ts';
import type { Saved } from '#domain/event/incoming.ts';
import { Fault } from '#domain/fault.ts';
import {
  changesOfEvent,
  changesOfGroup,
  changesOfTopology,
  deadLetterChange,
  type LiveChange,
} from '#domain/live/live-change.ts';
import type { Listening, LiveChanges } from '#domain/ports/live/live-changes.ts';
import type { TopologyChange } from '#domain/topology/change.ts';
import { zip } from '#domain/zip.ts';
import type { PublishChange } from '#infra/change-publishing-topology.ts';
import { partitionOf } from '#infra/kafka/client/partition.ts';
import type { Codecs } from '#infra/kafka/codec/codecs.ts';
import { CONSUMER } from '#infra/kafka/producer/broadcast.ts';
import { LiveHub, LiveHubs } from '#infra/live-hubs.ts';
import { readPosition } from '#infra/live-position.ts';
import { pause, within } from '#infra/wait.ts';
import { correlationChanges, eventsRejected, eventsSaved, topologyChanged } from '#schemas/topics/topics.ts';
import type { TopicName } from '#schemas/topics/values.ts';

/** Topics of changes, in the order of the lanes of a position: clients hold positions, so the order stays. */
const LANES: readonly TopicName[] = [eventsSaved, correlationChanges, topologyChanged, eventsRejected];

const changesIn = (topic: TopicName, value: unknown): LiveChange[] => {
  if (topic === eventsSaved) return changesOfEvent(value as Saved);
  if (topic === correlationChanges) return changesOfGroup(value as GroupChange);
  return changesOfTopology(value as TopologyChange);
};

/** The changes of a record of one of these topics; none when it cannot be read. Throws Fault `unavailable` while the registry is needed and down. */
export const changesOf = async (codecs: Pick<Codecs, 'of'>, topic: TopicName, bytes: Buffer): Promise<LiveChange[]> => {
  if (topic === eventsRejected) return [deadLetterChange];
  const codec = codecs.of(topic);
  if (!codec.knows(bytes)) await codec.learn(bytes);
  return changesIn(topic, codec.decode(bytes));
};

/** A record in its place. */
interface LiveRecord {
  readonly topic: TopicName;
  readonly partition: number;
  readonly offset: number;
  readonly tenant: string;
  readonly value: Buffer;
}

interface LiveReaderOptions {
  readonly kafka: Pick<Kafka, 'consumer' | 'admin'>;
  /** Group of this reader alone. */
  readonly group: string;
  /** Start offset by topic and partition. */
  readonly from: ReadonlyMap<TopicName, readonly number[]>;
  take(record: LiveRecord): Promise<void>;
  /** Records of the partition are no longer there, or not yet: reading continues behind them. */
  missed(partition: number): void;
  /** It reads no more, and never will. */
  failed(error: Error): void;
}

const START_MS = 30_000;

/**
 * Reads all topics of changes, each record once and in the order of its partition. It reports missing records, so that
 * no listener mistakes the silence after a failure for quiet.
 */
class LiveReader {
  readonly #options: LiveReaderOptions;
  readonly #consumer: Consumer;
  readonly #next: Map<string, number[]>;
  #isClosed = false;
  #late: NodeJS.Timeout | undefined;

  constructor(options: LiveReaderOptions) {
    this.#options = options;
    this.#next = new Map([...options.from].map(([topic, offsets]) => [topic, [...offsets]]));
    this.#consumer = options.kafka.consumer({ groupId: options.group, ...CONSUMER });
    // Nothing is committed: each join would begin at the end.
    this.#consumer.on(this.#consumer.events.GROUP_JOIN, () => this.#seekAll());
    this.#consumer.on(this.#consumer.events.CRASH, ({ payload: { restart, error } }) => {
      if (!restart) this.#fail(error);
    });
  }

  /** Returns the offset of the last processed record of the partition, by lane. */
  lanes(partition: number): number[] {
    return LANES.map((topic) => (this.#next.get(topic)?.[partition] ?? 0) - 1);
  }

  /** Returns at once; records appended from now on are read when the group has formed. */
  start(): void {
    this.#late = setTimeout(
      () => this.#fail(new Error("The consumer group for live changes didn't form in time")),
      START_MS,
    );
    this.#run().catch((error: Error) => this.#fail(error));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#late);
    await this.#consumer.disconnect();
    const admin = this.#options.kafka.admin();
    await admin.connect();
    await admin.deleteGroups([this.#options.group]).catch(() => undefined);
    await admin.disconnect();
  }

  async #run(): Promise<void> {
    await this.#consumer.connect();
    await this.#consumer.subscribe({ topics: [...LANES], fromBeginning: false });
    await this.#consumer.run({
      autoCommit: false,
      eachBatchAutoResolve: true,
      eachBatch: async ({ batch: { topic, partition, messages }, isRunning, isStale, heartbeat }) => {
        for (const message of messages) {
          if (this.#isClosed || !isRunning() || isStale()) return;
          await this.#take(topic as TopicName, partition, message);
        }
        await heartbeat();
      },
    });
  }

  async #take(topic: TopicName, partition: number, { offset: text, key, value }: KafkaMessage): Promise<void> {
    const next = entryOf(this.#next, topic);
    const [offset, expected] = [Number(text), next[partition] ?? 0];
    if (offset < expected) return;
    if (offset > expected) {
      next[partition] = offset;
      this.#options.missed(partition);
    }
    const tenant = key?.toString() ?? '';
    if (value !== null) await this.#options.take({ topic, partition, offset, tenant, value });
    next[partition] = offset + 1;
  }

  #seekAll(): void {
    clearTimeout(this.#late);
    for (const [topic, offsets] of this.#next)
      for (const [partition, offset] of offsets.entries())
        this.#consumer.seek({ topic, partition, offset: String(offset) });
  }

  #fail(error: Error): void {
    clearTimeout(this.#late);
    if (!this.#isClosed) this.#options.failed(error);
  }
}

export interface KafkaLiveOptions {
  readonly kafka: Pick<Kafka, 'consumer' | 'admin'>;
  readonly admin: Pick<Admin, 'fetchTopicOffsets'>;
  readonly codecs: Pick<Codecs, 'of'>;
  /** Partitions of every topic that is keyed by tenant. */
  readonly partitions: number;
  readonly epoch: number;
  /** Begins the names of the groups of this start of the process. */
  readonly group: string;
  readonly tellTopology: PublishChange;
  readonly log: { warn(fields: object, message: string): void };
  /** Time in ms after which lists show earlier saves; more than a refresh of Elasticsearch. */
  readonly refreshMs?: number;
}

export interface KafkaLiveChanges extends LiveChanges {
  close(): Promise<void>;
}

const REFRESH_MS = 1_200;
const OFFSETS_MS = 5_000;

const unavailable = (): Fault => new Fault('unavailable', 'Live updates are unavailable', [], { retryAfter: 5 });

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
    zip(LANES, all).map(([topic, ends]) => {
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
 * Changes from the log. While there are listeners, this process reads all topics of the lanes in a group of its own. A
 * position has the log's epoch and the offsets of the tenant's partition.
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
        log.warn({ err }, 'live change reader failed; streams closed, clients will reconnect');
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
      // Awaited again: without listeners it may have been closed.
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
