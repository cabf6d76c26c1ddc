import kafkajs, { type Consumer } from 'kafkajs';

/** Controls the fetching of one partition. */
export interface PartitionControl {
  /** The next fetch begins at this offset. */
  seek(offset: number): void;
  pause(): void;
  resume(): void;
}

/** kafkajs refuses commands between two generations of its group; it then starts from the committed offsets with nothing paused, so the command is moot. */
const ignoredBetweenGroups = (order: () => void): void => {
  try {
    order();
  } catch (error) {
    if (!(error instanceof kafkajs.KafkaJSNonRetriableError)) throw error;
  }
};

export const partitionControl = (
  consumer: Pick<Consumer, 'seek' | 'pause' | 'resume'>,
  topic: string,
  partition: number,
): PartitionControl => {
  const at = [{ topic, partitions: [partition] }];
  return {
    seek: (offset) => ignoredBetweenGroups(() => consumer.seek({ topic, partition, offset: String(offset) })),
    pause: () => ignoredBetweenGroups(() => consumer.pause(at)),
    resume: () => ignoredBetweenGroups(() => consumer.resume(at)),
  };
};
