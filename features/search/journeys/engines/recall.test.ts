import { expect, test } from '@jest/globals';
import { MIN_RECALL, measureRecall, SEARCH_SETS } from '#features/search/journeys/recall.ts';
import { ownElasticsearch } from '#test/engines/own-elasticsearch.ts';
import { setClock } from '#test/setup/set-clock.ts';

test('searches that others have written find what they mean in Elasticsearch, too', async () => {
  const own = await ownElasticsearch(setClock(0));
  try {
    for (const set of SEARCH_SETS) {
      const { recall, first } = await measureRecall(own.searchIndex, set);
      process.stderr.write(
        `Elasticsearch, ${set}: recall@10 ${recall.toFixed(3)}, first result relevant ${first.toFixed(3)}\n`,
      );
      expect(recall).toBeGreaterThanOrEqual(MIN_RECALL[set]);
      expect(first).toBeGreaterThanOrEqual(set === 'searches' ? 0.8 : 0.65);
    }
  } finally {
    await own.close();
  }
});
