import { expect, test } from '@jest/globals';
import { openSearchIndex } from '#infra/embedded/search-index.ts';
import { openEmbedded } from '#test/setup/embedded.ts';
import { MIN_RECALL, measureRecall, type SearchSet } from '../recall.ts';

test.each<readonly [SearchSet, number, number]>([
  ['searches', 60, 0.8],
  ['searches-later', 20, 0.7],
])('%s that others have written find what they mean', async (set, number, leastFirst) => {
  const { database, reader, close } = openEmbedded('memory');
  const { searches, documents, recall, first } = await measureRecall(openSearchIndex(database, reader), set);
  await database.endWriter();
  await close();
  expect([searches, documents]).toEqual([number, 227]);
  expect(recall).toBeGreaterThanOrEqual(MIN_RECALL[set]);
  expect(first).toBeGreaterThanOrEqual(leastFirst);
});
