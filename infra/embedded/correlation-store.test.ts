import { openLinks } from '#infra/event-links.ts';
import { correlationStoreContract } from '#test/contract/correlation-store.ts';
import { openEmbedded } from '#test/setup/embedded.ts';
import { openCorrelationStore } from './open-embedded.ts';

for (const where of ['memory', 'file'] as const)
  correlationStoreContract(`SQLite in ${where}`, async () => {
    const { database, tables, reader, close } = openEmbedded(where);
    const store = openCorrelationStore(database, tables.correlation, reader);
    return { store: { ...store, ...openLinks(store, tables.correlation.recent) }, close };
  });
