import { eventAggregatesContract } from '#test/contract/event-aggregates.ts';
import { eventPortsContract } from '#test/contract/event-store.ts';
import { eventSummariesContract } from '#test/contract/event-summaries.ts';
import { openEmbedded } from '#test/setup/embedded.ts';
import { openEventPorts } from './open-embedded.ts';

for (const where of ['memory', 'file'] as const) {
  const open = async () => {
    const { database, tables, reader, close } = openEmbedded(where);
    return { store: openEventPorts(database, tables.events, reader), close };
  };
  eventPortsContract(`SQLite in ${where}`, open);
  eventAggregatesContract(`SQLite in ${where}`, open);
  eventSummariesContract(`SQLite in ${where}`, open);
}
