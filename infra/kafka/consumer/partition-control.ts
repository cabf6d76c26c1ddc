import kafkajs, { type Consumer } from 'kafkajs';

/** What a partition asks of the client that reads it. */
export interface Feed {
  /** The next record to come is the one at this offset. */
  seek(offset: number): void;
  pause(): void;
  resume(): void;
}

/** Between two groups kafkajs takes no orders: it begins anew where its group stands, with new works and nothing paused. */
const whileItReads = (order: () => void): void => {
  try {
    order();
  } catch (error) {
    if (!(error instanceof kafkajs.KafkaJSNonRetriableError)) throw error;
  }
};

export const feedOf = (
  consumer: Pick<Consumer, 'seek' | 'pause' | 'resume'>,
  topic: string,
  partition: number,
): Feed => {
  const at = [{ topic, partitions: [partition] }];
  return {
    seek: (offset) => whileItReads(() => consumer.seek({ topic, partition, offset: String(offset) })),
    pause: () => whileItReads(() => consumer.pause(at)),
    resume: () => whileItReads(() => consumer.resume(at)),
  };
};
