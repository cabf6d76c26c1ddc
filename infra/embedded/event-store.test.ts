import { eventPortsContract } from '#test/contract/event-store.ts';
import { openEmbedded } from '#test/setup/embedded.ts';
import { openEventPorts } from './event-store.ts';

for (const where of ['memory', 'file'] as const)
  eventPortsContract(`SQLite in ${where}`, async () => {
    const { database, tables, reader, close } = openEmbedded(where);
    return { store: openEventPorts(database, tables.events, reader), close };
  });
