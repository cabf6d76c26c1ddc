import { groupRowsContract } from '#test/contract/group-rows.ts';
import { openEmbedded } from '#test/setup/embedded.ts';
import { setClock } from '#test/setup/set-clock.ts';
import { openCorrelationStore, openEventPorts, openGroupRows } from './open-embedded.ts';
import { openRecordStore } from './record-store.ts';

for (const where of ['memory', 'file'] as const)
  groupRowsContract(`SQLite in ${where}`, async () => {
    const { database, tables, reader, close } = openEmbedded(where);
    const store = {
      groupRows: openGroupRows(database, tables.correlation, reader),
      correlation: openCorrelationStore(database, tables.correlation, reader),
      events: openEventPorts(database, tables.events, reader).events,
      records: openRecordStore(database, tables.records, setClock(0)),
    };
    return { store, close };
  });
