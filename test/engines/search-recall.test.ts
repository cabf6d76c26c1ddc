import { expect, test } from '@jest/globals';
import { measureRecall } from '#test/search/recall.ts';
import { setClock } from '#test/setup/set-clock.ts';
import { ownElasticsearch } from './own-elasticsearch.ts';

test('searches that others have written find what they mean in Elasticsearch, too', async () => {
  const own = await ownElasticsearch(setClock(0));
  try {
    const { recall, first } = await measureRecall(own.searchIndex);
    process.stderr.write(`Elasticsearch: recall@10 ${recall.toFixed(3)}, first result relevant ${first.toFixed(3)}\n`);
    expect(recall).toBeGreaterThanOrEqual(0.8);
    expect(first).toBeGreaterThanOrEqual(0.8);
  } finally {
    await own.close();
  }
});
