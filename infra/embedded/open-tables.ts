import type { Sink } from '#domain/ports/sink.ts';
import { CiDictionary } from './correlation/ci-dictionary.ts';
import { type CorrelationTable, openCorrelationTable } from './correlation/table.ts';
import { type EventTable, openEventTable } from './events/table.ts';
import { openRecordTable, type RecordTable } from './records/table.ts';
import type { Database } from './redo-log/database.ts';
import { Outbox } from './sinks/outbox.ts';
import { type AroundCaches, openAroundCaches } from './topology/cache.ts';

/** Tables that cache rows of a database. There is one of each, handed to all readers and writers of those rows: a second one would serve stale rows. */
export interface Tables {
  readonly records: RecordTable;
  readonly events: EventTable;
  readonly correlation: CorrelationTable;
  /** The happenings for sinks. */
  readonly outbox: Outbox;
  /** Numbers of CI ids. */
  readonly names: CiDictionary;
  /** Surroundings that the topology has walked; the correlation table recognizes them. */
  readonly surroundings: AroundCaches;
}

/** Must be called once for a database. */
export const openTables = (database: Database, sinks: readonly Sink[] = []): Tables => {
  const names = new CiDictionary(database);
  const surroundings = openAroundCaches();
  return {
    records: openRecordTable(database),
    events: openEventTable(database),
    correlation: openCorrelationTable(database, names, surroundings.validityOf),
    outbox: new Outbox(database, sinks),
    names,
    surroundings,
  };
};
