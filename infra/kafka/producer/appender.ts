import type { Message, ProducerConfig, RecordMetadata } from 'kafkajs';
import kafkajs from 'kafkajs';
import { type KafkaOptions, openClient } from '#infra/kafka/client/client.ts';

/** One append to one partition: kafkajs rolls back the sequence of every partition of a rejected request, written or not. */
export interface Append {
  readonly topic: string;
  readonly partition: number;
  readonly messages: Message[];
  readonly compress: boolean;
}

/** A producer of kafkajs that is worth nothing after it has rejected once. */
export interface ProducerConnection {
  append(append: Append): Promise<{ readonly baseOffset: number | null }>;
  /** Ends it for good, without waiting; appends in flight may never settle. */
  end(): void;
}

const PRODUCER: ProducerConfig = {
  idempotent: true,
  maxInFlightRequests: 1,
  allowAutoTopicCreation: false,
  // Each message names its partition.
  createPartitioner:
    () =>
    ({ message }) =>
      message.partition as number,
};

const offsetOf = (metadata: RecordMetadata[]): number | null => {
  const offset = Number(metadata[0]?.baseOffset ?? -1);
  return offset < 0 ? null : offset;
};

/** Connects when it is first used. */
export const openConnection = (options: KafkaOptions): ProducerConnection => {
  const client = openClient(options);
  const producer = client.kafka.producer(PRODUCER);
  let connected: Promise<void> | undefined;
  return {
    async append({ topic, partition, messages, compress }) {
      connected ??= producer.connect();
      await connected;
      const { None, ZSTD } = kafkajs.CompressionTypes;
      const placed = messages.map((message) => ({ ...message, partition }));
      const compression = compress ? ZSTD : None;
      return { baseOffset: offsetOf(await producer.send({ topic, acks: -1, compression, messages: placed })) };
    },
    end() {
      client.end();
      void producer.disconnect().catch(() => undefined);
    },
  };
};

/** Appends through one connection until that rejects; from then on through a new one. */
export interface Appender {
  append(append: Append): Promise<{ readonly baseOffset: number | null }>;
  /** Nothing is appended any more; appends in flight may never settle. */
  end(): void;
  readonly ended: boolean;
}

/** `begun` receives the number of connections so far. */
export const openAppender = (connect: () => ProducerConnection, begun: (connections: number) => void): Appender => {
  const open = new Map<ProducerConnection, number>();
  let connections = 0;
  const begin = (): ProducerConnection => {
    const connection = connect();
    open.set(connection, 0);
    begun(++connections);
    return connection;
  };
  let current = begin();
  let ended = false;
  const release = (connection: ProducerConnection): void => {
    const left = (open.get(connection) ?? 0) - 1;
    open.set(connection, left);
    if (connection === current || left > 0) return;
    open.delete(connection);
    connection.end();
  };
  return {
    get ended() {
      return ended;
    },
    async append(append) {
      if (ended) throw new Error('The log producer is closed');
      const used = current;
      open.set(used, (open.get(used) ?? 0) + 1);
      try {
        return await used.append(append);
      } catch (error) {
        // The requests of others in flight there stay valid: they are for other partitions.
        if (used === current && !ended) current = begin();
        throw error;
      } finally {
        release(used);
      }
    },
    end() {
      ended = true;
      for (const connection of open.keys()) connection.end();
    },
  };
};
