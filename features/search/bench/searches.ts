import { MIN_RECALL, measureRecall, SEARCH_SETS, type SearchSet } from '#features/search/journeys/recall.ts';
import { openSearchIndex } from '#infra/embedded/search-index.ts';
import { openEmbedded } from '#test/setup/embedded.ts';
import type { Row } from '../../../bench/report.ts';

async function aboutSet(set: SearchSet): Promise<Row[]> {
  const { database, reader, close } = openEmbedded('memory');
  const { searches, documents, recall, first } = await measureRecall(openSearchIndex(database, reader), set);
  await database.endWriter();
  await close();
  const least = MIN_RECALL[set];
  const what = `${searches} ${set === 'searches' ? '' : 'later '}searches over ${documents} documents, lexical`;
  return [
    { what: `${what}: recall@10`, value: recall * 100, unit: '%', target: `≥ ${least * 100}`, met: recall >= least },
    { what: `${what}: first result relevant`, value: first * 100, unit: '%' },
  ];
}

/** How well searches that others have written find what they mean, without a model. */
export const aboutSearches = async (): Promise<Row[]> => {
  const rows: Row[] = [];
  for (const set of SEARCH_SETS) rows.push(...(await aboutSet(set)));
  return rows;
};
