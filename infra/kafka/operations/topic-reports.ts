import kafkajs, { type Admin } from 'kafkajs';
import type { TopicReport } from '#domain/ports/operations.ts';
import type { Codecs } from '#infra/kafka/codec/codecs.ts';
import { subjectOf, topics } from '#schemas/topics/topics.ts';

/** By topic and name, as the brokers have it: an operator may keep records longer or shorter. */
const configs = async (admin: Admin): Promise<ReadonlyMap<string, string>> => {
  const { resources } = await admin.describeConfigs({
    includeSynonyms: false,
    resources: topics.map(({ name }) => ({
      type: kafkajs.ConfigResourceTypes.TOPIC,
      name,
      configNames: ['retention.ms', 'cleanup.policy'],
    })),
  });
  return new Map(
    resources.flatMap(({ resourceName, configEntries }) =>
      configEntries.map(({ configName, configValue }) => [`${resourceName} ${configName}`, configValue] as const),
    ),
  );
};

/** Every topic as it is kept, with the version that its schema has in the registry. */
export const topicReports = async (
  admin: Admin,
  codecs: Codecs,
  version: (topic: string) => Promise<number | null>,
): Promise<TopicReport[]> => {
  const found = await configs(admin);
  return Promise.all(
    topics.map(async ({ name, key }): Promise<TopicReport> => {
      const [offsets, schema] = await Promise.all([admin.fetchTopicOffsets(name), version(name)]);
      const retention = Number(found.get(`${name} retention.ms`) ?? -1);
      return {
        name,
        key,
        storage: 'kafka',
        compacted: found.get(`${name} cleanup.policy`)?.includes('compact') ?? false,
        retentionMs: retention < 0 ? null : retention,
        schema: { subject: subjectOf(name), version: schema, id: codecs.schemaIds.get(name) ?? null },
        partitions: offsets
          .map(({ partition, low, high }) => ({ partition, first: Number(low), end: Number(high) }))
          .sort((a, b) => a.partition - b.partition),
      };
    }),
  );
};
