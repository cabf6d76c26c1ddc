import type { Clock } from '#domain/ports/clock.ts';
import { type Appender, type Connection, openAppender } from './appender.ts';
import { Lane } from './partition-queue.ts';

/** The way into one partition. */
export interface Way {
  readonly lane: Lane;
  /** Of the last record. */
  serial: number;
}

export interface WaysOptions {
  readonly connect: () => Connection;
  readonly clock: Clock;
  readonly log: { info(fields: object, message: string): void };
  /** Connections that the partitions are spread over, each partition on one of them. */
  readonly connections?: number;
  /** Told of every append that is tried again. */
  readonly retried?: () => void;
}

export interface Ways {
  to(topic: string, partition: number): Way;
  /** Nothing is appended any more; what is under way may never settle. */
  end(): void;
}

/** kafkajs waits for the outcome of an append before it begins the next one of a connection, whatever its partition. */
const CONNECTIONS = 6;

export const openWays = (options: WaysOptions): Ways => {
  const { connect, clock, log, connections = CONNECTIONS, retried = () => undefined } = options;
  const appenders: Appender[] = [];
  const ways = new Map<string, Way>();

  const begun = (count: number): void => {
    if (count > 1) log.info({ connections: count }, 'the log rejected an append: a new connection is used from now on');
  };
  /** In turn, so that each serves as many partitions. */
  const nextAppender = (): Appender => {
    const turn = ways.size % connections;
    appenders[turn] ??= openAppender(connect, begun);
    return appenders[turn];
  };

  return {
    to(topic, partition) {
      const key = `${topic}/${partition}`;
      const known = ways.get(key);
      if (known !== undefined) return known;
      const lane = new Lane({ topic, partition, appender: nextAppender(), retried, now: clock.now });
      const way = { lane, serial: 0 };
      ways.set(key, way);
      return way;
    },
    end() {
      for (const appender of appenders) appender.end();
    },
  };
};
