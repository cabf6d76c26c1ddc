import type { Consumer, Kafka } from 'kafkajs';
import { lastItem } from '#domain/assert.ts';
import { errorMessage } from '#domain/fault.ts';
import type { Codecs } from '#infra/kafka/codec/codecs.ts';
import { Commits } from '#infra/kafka/owner/commits.ts';
import { LostPartition, type Owner } from '#infra/kafka/owner/owner.ts';
import { type Fetched, type TopicReader, toInputs } from '#infra/kafka/owner/wire.ts';
import type { TopicName } from '#schemas/topics/values.ts';
import type { DecodedValueCache } from './decoded-value-cache.ts';
import { partitionControl } from './partition-control.ts';
import { PartitionWork } from './partition-work.ts';

export interface ConsumerOptions {
  readonly kafka: Kafka;
  readonly codecs: Pick<Codecs, 'of'>;
  readonly values: DecodedValueCache;
  /** Name of the processor, and of its consumer group. */
  readonly name: string;
  readonly group: string;
  readonly topic: TopicName;
  readonly epoch: number;
  /** Clock, epoch ms. */
  readonly now: () => number;
  readonly log: { info(fields: object, message: string): void; warn(fields: object, message: string): void };
  /** Records of a batch. */
  readonly atOnce?: number;
  /** True if owners need the time when a record was fetched. */
  readonly notesFetches?: boolean;
  openOwner(partition: number): Owner;
}

/** Partitions handed on at once; handing on does not wait for their work. */
const PARTITIONS_AT_ONCE = 1;
const SESSION_MS = 10_000;
const BEAT_MS = 1_000;
/** The next owner finishes a batch that is cut off then. */
const STOP_MS = 10_000;
/** Pause of a failed partition; each failure in a row doubles it. */
const REST_MS = 500;
const MAX_REST_MS = 10_000;

export interface ConsumerStatus {
  readonly name: string;
  readonly group: string;
  readonly topic: string;
  /** Partitions that this process has opened. */
  readonly partitions: readonly number[];
  readonly lastError: string | null;
  /** Time of the failure, ms; null when there is none. */
  readonly failedAt: number | null;
}

/**
 * Runs one processor on the partitions that its group assigns to this process. The client fetches nothing while a
 * partition is processed, so the work is done beside it, each partition by itself.
 */
export class ProcessorConsumer {
  readonly #options: ConsumerOptions;
  readonly #consumer: Consumer;
  readonly #commits: Commits;
  #works = new Map<number, PartitionWork>();
  /** Ends of partitions that were revoked during work. */
  readonly #ending = new Map<number, Promise<void>>();
  /**
   * The client continues until its stop, behind records that ending owners have received and may not have processed.
   */
  #isStopping = false;
  #lastError: string | null = null;
  #failedAt: number | null = null;

  constructor(options: ConsumerOptions) {
    this.#options = options;
    this.#consumer = options.kafka.consumer({
      groupId: options.group,
      sessionTimeout: SESSION_MS,
      heartbeatInterval: BEAT_MS,
      rebalanceTimeout: 30_000,
      maxWaitTimeInMs: 250,
      allowAutoTopicCreation: false,
      maxBytesPerPartition: 4 * 2 ** 20,
      retry: { initialRetryTime: 100, maxRetryTime: 1_000, retries: 1_000 },
    });
    this.#commits = new Commits(options.topic, (offsets) => this.#consumer.commitOffsets(offsets));
    // Every join revokes all partitions first; the retained state of them may be another's by now.
    this.#consumer.on(this.#consumer.events.GROUP_JOIN, () => this.#loseAll());
  }

  get status(): ConsumerStatus {
    const { name, group, topic } = this.#options;
    const partitions = [...this.#works].filter(([, { owner }]) => owner !== null).map(([partition]) => partition);
    return { name, group, topic, partitions, lastError: this.#lastError, failedAt: this.#failedAt };
  }

  /** True if its records of this partition wait for their time. */
  isWaiting(partition: number): boolean {
    return this.#works.get(partition)?.owner?.isWaiting?.() ?? false;
  }

  /** Returns entries in memory over the held partitions, by kind. */
  sizes(): Record<string, number> {
    const sum: Record<string, number> = {};
    for (const { owner } of this.#works.values())
      for (const [what, size] of Object.entries(owner?.sizes() ?? {})) sum[what] = (sum[what] ?? 0) + size;
    return sum;
  }

  async start(): Promise<void> {
    await this.#consumer.connect();
    await this.#consumer.subscribe({ topics: [this.#options.topic], fromBeginning: true });
    await this.#consumer.run({
      autoCommit: false,
      eachBatchAutoResolve: false,
      partitionsConsumedConcurrently: PARTITIONS_AT_ONCE,
      eachBatch: async ({ batch: { partition, messages }, resolveOffset, isStale, isRunning }) => {
        if (this.#isStopping || !isRunning() || isStale()) return;
        if (this.#workOn(partition).push(this.#noted(messages))) resolveOffset(lastItem(messages).offset);
      },
    });
  }

  #noted(messages: Fetched[]): Fetched[] {
    const { notesFetches = false, now } = this.#options;
    if (!notesFetches) return messages;
    const fetchedAt = now();
    return messages.map((message) => ({ ...message, fetchedAt }));
  }

  /**
   * Leaves the group after the current batches, so that others take over at once; but waits for no engine that is down.
   */
  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#endAll((work) => work.stop());
    const ended = Promise.all(this.#ending.values()).then(() => this.#commits.settled());
    const late = Promise.withResolvers<void>();
    const timer = setTimeout(late.resolve, STOP_MS);
    await Promise.race([ended, late.promise]);
    clearTimeout(timer);
    await this.#consumer.disconnect();
  }

  #loseAll(): void {
    this.#endAll((work) => work.lose());
    this.#commits.forget();
  }

  #endAll(end: (work: PartitionWork) => Promise<void>): void {
    for (const [partition, work] of this.#works) {
      const ended = end(work);
      this.#ending.set(partition, ended);
      void ended.then(() => {
        if (this.#ending.get(partition) === ended) this.#ending.delete(partition);
      });
    }
    this.#works = new Map();
  }

  #workOn(partition: number): PartitionWork {
    const known = this.#works.get(partition);
    if (known !== undefined) return known;
    const { topic, atOnce, openOwner } = this.#options;
    const reader = this.#reader(partition);
    const work = new PartitionWork({
      atOnce,
      control: partitionControl(this.#consumer, topic, partition),
      openOwner: () => openOwner(partition),
      read: (records) => toInputs(reader, records),
      done: (commit) => {
        this.#commits.note(partition, commit);
        this.#forgetError();
      },
      failed: (error, failures) => this.#failed(partition, error, failures),
      before: this.#ending.get(partition) ?? Promise.resolve(),
    });
    this.#works.set(partition, work);
    return work;
  }

  #reader(partition: number): TopicReader {
    const { codecs, values, topic, epoch } = this.#options;
    const codec = codecs.of(topic);
    return { topic, epoch, codec, decode: values.reader(topic, partition, codec.decode) };
  }

  /** An error is over when no partition has one. */
  #forgetError(): void {
    if (this.#lastError === null || [...this.#works.values()].some((work) => work.isFailing)) return;
    this.#lastError = null;
    this.#failedAt = null;
  }

  /** The others continue, and the group retains its members. Returns the pause of the partition, ms. */
  #failed(partition: number, error: unknown, failures: number): number {
    const { name, log, now } = this.#options;
    this.#lastError = errorMessage(error);
    this.#failedAt = now();
    const restMs = Math.min(REST_MS * 2 ** (failures - 1), MAX_REST_MS);
    const fields = { err: error, processor: name, partition, restMs };
    if (error instanceof LostPartition) log.info(fields, 'partition reassigned');
    else log.warn(fields, 'partition paused');
    return restMs;
  }
}
