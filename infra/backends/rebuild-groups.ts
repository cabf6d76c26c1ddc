import type { Clock } from '#domain/ports/clock.ts';
import type { Config } from '#infra/config.ts';
import { openElasticsearch } from '#infra/elasticsearch/open-elasticsearch.ts';
import { rewind } from '#infra/kafka/rewind.ts';
import { systemClock } from '#infra/system/clock.ts';
import { merge } from '#processors/merge.ts';
import { elasticsearchOf, kafkaOf } from './distributed.ts';

/**
 * Deletes all groups and decisions of distributed mode and has merge make them again, the same ones, when it is started the
 * next time. Cut off halfway, it can be run again. Returns how many partitions merge will read from their start. Throws Fault
 * `conflict`, and changes nothing, while merge runs anywhere.
 */
export const rebuildGroups = async (config: Config, clock: Clock = systemClock): Promise<number> => {
  const elasticsearch = await openElasticsearch({ ...elasticsearchOf(config), clock });
  try {
    const { records, pipeline: store } = elasticsearch;
    const partitions = await rewind({ kafka: kafkaOf(config), records, store, processor: merge });
    await elasticsearch.dropGroups();
    return partitions;
  } finally {
    await elasticsearch.close();
  }
};
