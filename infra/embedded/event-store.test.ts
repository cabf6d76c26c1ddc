import { eventStoreContract } from '#test/contract/event-store.ts';
import { openEmbedded } from '#test/setup/embedded.ts';
import { openEventStore } from './event-store.ts';

for (const where of ['memory', 'file'] as const)
  eventStoreContract(`SQLite in ${where}`, async () => {
    const { database, tables, reader, close } = openEmbedded(where);
    return { store: openEventStore(database, tables.events, reader), close };
  });
