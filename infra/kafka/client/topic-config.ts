import kafkajs, { type Admin } from 'kafkajs';
import { type Topic, topics } from '#schemas/topics/topics.ts';

const HOUR = 3_600_000;

/** Settings of a new topic. Times are the broker's: nobody's clock can hold a record back or let it expire at once. */
export const topicConfig = (topic: Topic, groupsMs: number): Record<string, string> => {
  const retention = topic.retention === 'groups' ? groupsMs : topic.retention;
  return {
    'cleanup.policy': topic.compacted ? 'compact' : 'delete',
    'retention.ms': String(retention),
    // Only closed segments expire.
    'segment.ms': String(Math.max(HOUR / 6, Math.min(24 * HOUR, Math.floor(retention / 4)))),
    'max.message.bytes': String(topic.maxMessageBytes),
    'message.timestamp.type': 'LogAppendTime',
    // Our writers compress; the broker keeps what it gets.
    'compression.type': 'producer',
  };
};

/** Settings that an existing topic must have; an operator may change its retention. */
const mustBe = ({ maxMessageBytes }: Topic) => ({
  'max.message.bytes': {
    fits: (value: string) => Number(value) >= maxMessageBytes,
    must: `at least ${maxMessageBytes}`,
  },
  'message.timestamp.type': { fits: (value: string) => value === 'LogAppendTime', must: 'LogAppendTime' },
  'cleanup.policy': { fits: (value: string) => value === 'delete', must: 'delete' },
});

/** Settings of existing topics that would lose or refuse records, one line each. */
export const wrongConfig = async (admin: Admin): Promise<string[]> => {
  const { resources } = await admin.describeConfigs({
    includeSynonyms: false,
    resources: topics.map((topic) => ({
      type: kafkajs.ConfigResourceTypes.TOPIC,
      name: topic.name,
      configNames: Object.keys(mustBe(topic)),
    })),
  });
  const byName = new Map(topics.map((topic) => [topic.name as string, topic]));
  return resources.flatMap(({ resourceName, configEntries }) => {
    const topic = byName.get(resourceName);
    if (topic === undefined) return [];
    return Object.entries(mustBe(topic)).flatMap(([name, { fits, must }]) => {
      const value = configEntries.find(({ configName }) => configName === name)?.configValue ?? '';
      return fits(value) ? [] : [`${name} of ${topic.name} is ${value} and must be ${must}`];
    });
  });
};
