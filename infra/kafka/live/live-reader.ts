import type { Consumer, Kafka, KafkaMessage } from 'kafkajs';
import { entryOf } from '#domain/known.ts';
import type { TopicName } from '#schemas/topics/values.ts';
import { LANES } from './lanes.ts';

/** A record in its place. */
export interface LiveRecord {
  readonly topic: TopicName;
  readonly partition: number;
  readonly offset: number;
  readonly tenant: string;
  readonly value: Buffer;
}

export interface LiveReaderOptions {
  readonly kafka: Pick<Kafka, 'consumer' | 'admin'>;
  /** Of this reader alone. */
  readonly group: string;
  /** By topic and partition, the offset to begin with. */
  readonly from: ReadonlyMap<TopicName, readonly number[]>;
  take(record: LiveRecord): Promise<void>;
  /** Records of the partition are no longer there, or not yet: it goes on behind them. */
  missed(partition: number): void;
  /** It reads no more, and never will. */
  failed(error: Error): void;
}

const START_MS = 30_000;
const CONSUMER = {
  sessionTimeout: 10_000,
  heartbeatInterval: 1_000,
  maxWaitTimeInMs: 250,
  allowAutoTopicCreation: false,
  retry: { initialRetryTime: 100, maxRetryTime: 1_000, retries: 1_000 },
};

/**
 * Reads all topics that say what changes, each record once and in the order of its partition. Where records are missing it says so, so
 * that after a failure nobody takes the silence for quiet.
 */
export class LiveReader {
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

  /** By lane, the offset of the last record of the partition that was taken. */
  lanes(partition: number): number[] {
    return LANES.map((topic) => (this.#next.get(topic)?.[partition] ?? 0) - 1);
  }

  /** Returns at once; what is appended from now on is read when the group has formed. */
  start(): void {
    this.#late = setTimeout(() => this.#fail(new Error('The group of live changes did not form in time')), START_MS);
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
