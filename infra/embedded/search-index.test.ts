import { searchIndexContract } from '#test/contract/search-index.ts';
import { openEmbedded } from '#test/setup/embedded.ts';
import { openSearchIndex } from './search-index.ts';

for (const where of ['memory', 'file'] as const)
  searchIndexContract(`SQLite in ${where}`, async () => {
    const { database, reader, close } = openEmbedded(where);
    const end = async (): Promise<void> => {
      await database.endWriter();
      await close();
    };
    return { store: openSearchIndex(database, reader), close: end };
  });
