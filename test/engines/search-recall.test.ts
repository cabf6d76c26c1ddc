import { expect, test } from '@jest/globals';
import { LEAST_RECALL, measureRecall, SEARCH_SETS } from '#test/search/recall.ts';
import { setClock } from '#test/setup/set-clock.ts';
import { ownElasticsearch } from './own-elasticsearch.ts';

test('searches that others have written find what they mean in Elasticsearch, too', async () => {
  const own = await ownElasticsearch(setClock(0));
  try {
    for (const set of SEARCH_SETS) {
      const { recall, first } = await measureRecall(own.searchIndex, set);
      process.stderr.write(
        `Elasticsearch, ${set}: recall@10 ${recall.toFixed(3)}, first result relevant ${first.toFixed(3)}\n`,
      );
      expect(recall).toBeGreaterThanOrEqual(LEAST_RECALL[set]);
      expect(first).toBeGreaterThanOrEqual(set === 'searches' ? 0.8 : 0.65);
    }
  } finally {
    await own.close();
  }
});
