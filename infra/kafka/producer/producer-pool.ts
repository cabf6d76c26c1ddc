import type { Clock } from '#domain/ports/clock.ts';
import { type Appender, openAppender, type ProducerConnection } from './appender.ts';
import { PartitionQueue } from './partition-queue.ts';

/** The queue of one partition, and the number of its last record. */
export interface NumberedQueue {
  readonly queue: PartitionQueue;
  /** Of the last record. */
  serial: number;
}

export interface ProducerPoolOptions {
  readonly connect: () => ProducerConnection;
  readonly clock: Pick<Clock, 'steady'>;
  readonly log: { info(fields: object, message: string): void };
  /** Connections that the partitions are spread over, each partition on one of them. */
  readonly connections?: number;
  /** Told of every append that is tried again. */
  readonly retried?: () => void;
}

export interface ProducerPool {
  to(topic: string, partition: number): NumberedQueue;
  /** Nothing is appended any more; an append under way may never resolve. */
  end(): void;
}

/** kafkajs waits for the outcome of an append before it begins the next one of a connection, whatever its partition. */
const CONNECTIONS = 6;

export const openProducerPool = (options: ProducerPoolOptions): ProducerPool => {
  const { connect, clock, log, connections = CONNECTIONS, retried = () => undefined } = options;
  const appenders: Appender[] = [];
  const queues = new Map<string, NumberedQueue>();

  const begun = (count: number): void => {
    if (count > 1) log.info({ connections: count }, 'the log rejected an append: the producer opens a new connection');
  };
  /** In turn, so that each serves as many partitions. */
  const nextAppender = (): Appender => {
    const turn = queues.size % connections;
    appenders[turn] ??= openAppender(connect, begun);
    return appenders[turn];
  };

  return {
    to(topic, partition) {
      const key = `${topic}/${partition}`;
      const known = queues.get(key);
      if (known !== undefined) return known;
      const queue = new PartitionQueue({ topic, partition, appender: nextAppender(), retried, now: clock.steady });
      const numbered: NumberedQueue = { queue, serial: 0 };
      queues.set(key, numbered);
      return numbered;
    },
    end() {
      for (const appender of appenders) appender.end();
    },
  };
};
