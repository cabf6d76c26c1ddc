import type { Clock } from '#domain/ports/clock.ts';
import type { Config } from '#infra/config.ts';
import { openElasticsearch } from '#infra/elasticsearch/open-elasticsearch.ts';
import { rewind } from '#infra/kafka/rewind.ts';
import { systemClock } from '#infra/system/time.ts';
import { merge } from '#processors/merge.ts';
import { elasticsearchOf, kafkaOf } from './distributed.ts';

/**
 * Deletes all groups and decisions of distributed mode; merge makes the same ones again at its next start. Can be run
 * again. Returns the number of partitions that merge will read again. Throws Fault `conflict` while merge runs
 * anywhere.
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
