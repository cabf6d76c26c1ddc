import { recordStoreContract } from '#test/contract/record-store.ts';
import { openEmbedded } from '#test/setup/embedded.ts';
import { openRecordStore } from './record-store.ts';

for (const where of ['memory', 'file'] as const)
  recordStoreContract(`SQLite in ${where}`, async (clock) => {
    const { database, tables, close } = openEmbedded(where);
    return { store: openRecordStore(database, tables.records, clock), close };
  });
