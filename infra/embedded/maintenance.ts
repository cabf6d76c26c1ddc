import type { Clock } from '#domain/ports/clock.ts';
import type { Database } from './journal/database.ts';
import { openDeliveryTable } from './records/delivery-table.ts';
import { openRecoveryTable } from './records/recovery-table.ts';
import type { RecordTable } from './records/table.ts';

const MINUTE_MS = 60_000;
const DELIVERIES_MS = 24 * 60 * MINUTE_MS;
const RECOVERIES_MS = 60 * MINUTE_MS;

/** Returns a function that deletes answered deliveries, recoveries and records that have expired. */
export const openMaintenance = (database: Database, records: RecordTable, clock: Clock): (() => Promise<void>) => {
  const deliveries = openDeliveryTable(database);
  const recoveries = openRecoveryTable(database);
  return () =>
    database.exclusive(() => {
      const now = clock.now();
      deliveries.prune(now - DELIVERIES_MS);
      recoveries.prune(now - RECOVERIES_MS);
      records.prune(now);
    });
};
