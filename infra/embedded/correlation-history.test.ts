import { correlationHistoryContract } from '#test/contract/correlation-history.ts';
import { openEmbedded } from '#test/setup/embedded.ts';
import { openCorrelationHistory, openCorrelationStore, openEventPorts } from './open-embedded.ts';

for (const where of ['memory', 'file'] as const)
  correlationHistoryContract(`SQLite in ${where}`, async () => {
    const { database, tables, reader, close } = openEmbedded(where);
    const store = {
      correlationHistory: openCorrelationHistory(reader),
      correlation: openCorrelationStore(database, tables.correlation, reader),
      events: openEventPorts(database, tables.events, reader).events,
    };
    return { store, close };
  });
