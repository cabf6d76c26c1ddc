import type { Consumer, EachBatchPayload, Kafka, KafkaMessage } from 'kafkajs';
import type { TopicName } from '#schemas/topics/values.ts';
import type { Codecs } from './codecs.ts';
import { LostPartition, type Owner } from './owner.ts';
import { toInput } from './wire.ts';

export interface ConsumerOptions {
  readonly kafka: Kafka;
  readonly codecs: Codecs;
  /** Name of the processor, and of its consumer group. */
  readonly name: string;
  readonly group: string;
  readonly topic: TopicName;
  readonly epoch: number;
  /** Clock, epoch ms. */
  readonly now: () => number;
  readonly log: {
    info(fields: object, message: string): void;
    warn(fields: object, message: string): void;
  };
  openOwner(partition: number): Owner;
}

/** Records stepped at once: they share a journal page and a save. */
const BATCH_RECORDS = 1_000;
const PARTITIONS_AT_ONCE = 6;
const SESSION_MS = 10_000;
const BEAT_MS = 1_000;
/** A partition that failed rests; each failure in a row doubles it. */
const REST_MS = 500;
const MAX_REST_MS = 10_000;

/** kafkajs settles these itself: by joining anew, or by connecting anew. */
const isOfClient = (error: unknown): boolean => error instanceof Error && error.name.startsWith('KafkaJS');

interface Held {
  readonly owner: Owner;
  /** What comes before this offset is not wanted. */
  from: number;
}

export interface ConsumerStatus {
  readonly name: string;
  readonly group: string;
  readonly topic: string;
  /** Partitions that this process has opened. */
  readonly partitions: readonly number[];
  readonly lastError: string | null;
  /** When that was, ms; null when there is none. */
  readonly failedAt: number | null;
}

/** Runs one processor on the partitions that its group gives to this process. */
export class ProcessorConsumer {
  readonly #options: ConsumerOptions;
  readonly #consumer: Consumer;
  readonly #held = new Map<number, Held>();
  readonly #failures = new Map<number, number>();
  #lastError: string | null = null;
  #failedAt: number | null = null;

  constructor(options: ConsumerOptions) {
    this.#options = options;
    this.#consumer = options.kafka.consumer({
      groupId: options.group,
      ...{ sessionTimeout: SESSION_MS, heartbeatInterval: BEAT_MS, rebalanceTimeout: 30_000 },
      ...{ maxWaitTimeInMs: 100, allowAutoTopicCreation: false, maxBytesPerPartition: 4 * 2 ** 20 },
      retry: { initialRetryTime: 100, maxRetryTime: 1_000, retries: 1_000 },
    });
    // Every join takes all partitions away first; what is kept of them may be another's by now.
    this.#consumer.on(this.#consumer.events.GROUP_JOIN, () => this.#held.clear());
  }

  get status(): ConsumerStatus {
    const { name, group, topic } = this.#options;
    const error = { lastError: this.#lastError, failedAt: this.#failedAt };
    return { name, group, topic, partitions: [...this.#held.keys()], ...error };
  }

  /** Entries in memory over the partitions held, by what they are. */
  sizes(): Record<string, number> {
    const sum: Record<string, number> = {};
    for (const { owner } of this.#held.values())
      for (const [what, size] of Object.entries(owner.sizes())) sum[what] = (sum[what] ?? 0) + size;
    return sum;
  }

  async start(): Promise<void> {
    await this.#consumer.connect();
    await this.#consumer.subscribe({ topics: [this.#options.topic], fromBeginning: true });
    await this.#consumer.run({
      ...{ autoCommit: false, eachBatchAutoResolve: false, partitionsConsumedConcurrently: PARTITIONS_AT_ONCE },
      eachBatch: (payload) => this.#eachBatch(payload),
    });
  }

  /** Leaves the group after the batch at hand, so that others take over at once. */
  async stop(): Promise<void> {
    await this.#consumer.disconnect();
  }

  async #eachBatch(payload: EachBatchPayload): Promise<void> {
    const { partition } = payload.batch;
    const beat = setInterval(() => void payload.heartbeat().catch(() => undefined), BEAT_MS);
    try {
      await this.#work(payload);
      if (this.#failures.delete(partition) && this.#failures.size === 0) this.#recovered();
    } catch (error) {
      this.#held.delete(partition);
      if (isOfClient(error)) throw error;
      this.#rest(payload, error);
    } finally {
      clearInterval(beat);
    }
  }

  #recovered(): void {
    this.#lastError = null;
    this.#failedAt = null;
  }

  async #work({ batch, resolveOffset, isRunning, isStale }: EachBatchPayload): Promise<void> {
    const { partition, messages } = batch;
    const held = await this.#open(partition, messages);
    if (held === null) return;
    const wanted = messages.filter(({ offset }) => Number(offset) >= held.from);
    for (let start = 0; start < wanted.length; start += BATCH_RECORDS) {
      if (!isRunning() || isStale()) return;
      const part = wanted.slice(start, start + BATCH_RECORDS);
      const last = part.at(-1) as KafkaMessage;
      await this.#take(partition, held, part);
      resolveOffset(last.offset);
    }
  }

  /** Null when the records must be read from elsewhere first. */
  async #open(partition: number, messages: readonly KafkaMessage[]): Promise<Held | null> {
    const known = this.#held.get(partition);
    if (known !== undefined) return known;
    const owner = this.#options.openOwner(partition);
    const from = await owner.open();
    const held = { owner, from: from ?? 0 };
    this.#held.set(partition, held);
    if (from === null || from === Number(messages[0]?.offset)) return held;
    this.#consumer.seek({ topic: this.#options.topic, partition, offset: String(from) });
    return null;
  }

  async #take(partition: number, held: Held, part: readonly KafkaMessage[]): Promise<void> {
    const { codecs, topic, epoch } = this.#options;
    const inputs = await Promise.all(part.map((message) => toInput(codecs, topic, epoch, message)));
    const metadata = await held.owner.take(inputs);
    held.from = (inputs.at(-1)?.offset ?? held.from) + 1;
    await this.#consumer.commitOffsets([{ topic, partition, offset: String(held.from), metadata }]);
  }

  /** The partition stands still for a while and is opened anew; the others go on, and the group keeps its members. */
  #rest({ batch: { partition }, pause }: EachBatchPayload, error: unknown): void {
    const { name, log, now } = this.#options;
    const failures = (this.#failures.get(partition) ?? 0) + 1;
    this.#failures.set(partition, failures);
    this.#lastError = error instanceof Error ? error.message : String(error);
    this.#failedAt = now();
    const restMs = Math.min(REST_MS * 2 ** (failures - 1), MAX_REST_MS);
    const fields = { err: error, processor: name, partition, restMs };
    if (error instanceof LostPartition) log.info(fields, 'a partition has a new owner');
    else log.warn(fields, 'a partition rests');
    const resume = pause();
    setTimeout(resume, restMs).unref();
  }
}
