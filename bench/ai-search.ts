import { openSearchIndex } from '#infra/embedded/search-index.ts';
import { measureRecall } from '#test/search/recall.ts';
import { openEmbedded } from '#test/setup/embedded.ts';
import type { Row } from './report.ts';

/** How well searches that others have written find what they mean, without a model. */
export async function aboutSearches(): Promise<Row[]> {
  const { database, reader, close } = openEmbedded('memory');
  const { searches, documents, recall, first } = await measureRecall(openSearchIndex(database, reader));
  await database.endWriter();
  await close();
  const what = `${searches} searches over ${documents} documents, lexical`;
  return [
    { what: `${what}: recall@10`, value: recall * 100, unit: '%', target: '≥ 80', met: recall >= 0.8 },
    { what: `${what}: first result relevant`, value: first * 100, unit: '%' },
  ];
}
