import { expect, test } from '@jest/globals';
import { openSearchIndex } from '#infra/embedded/search-index.ts';
import { openEmbedded } from '#test/setup/embedded.ts';
import { measureRecall } from './recall.ts';

test('searches that others have written find what they mean', async () => {
  const { database, reader, close } = openEmbedded('memory');
  const { searches, documents, recall, first } = await measureRecall(openSearchIndex(database, reader));
  await database.endWriter();
  await close();
  expect([searches, documents]).toEqual([60, 227]);
  expect(recall).toBeGreaterThanOrEqual(0.8);
  expect(first).toBeGreaterThanOrEqual(0.8);
});
