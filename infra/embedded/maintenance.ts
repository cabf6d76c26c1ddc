import type { Clock } from '#domain/ports/clock.ts';
import type { Database } from './journal/database.ts';
import { openDeliveryTable } from './records/delivery-table.ts';
import { openRecoveryTable } from './records/recovery-table.ts';
import type { RecordTable } from './records/table.ts';

const MINUTE_MS = 60_000;
const DELIVERIES_MS = 24 * 60 * MINUTE_MS;
const RECOVERIES_MS = 60 * MINUTE_MS;

/** Forgets once a minute what has served its time: answered deliveries, recoveries, expired records. Returns the stop. */
export const maintain = (
  database: Database,
  records: RecordTable,
  clock: Clock,
  failed: (error: unknown) => void,
): (() => void) => {
  const deliveries = openDeliveryTable(database);
  const recoveries = openRecoveryTable(database);
  const tidy = (): void => {
    const now = clock.now();
    deliveries.prune(now - DELIVERIES_MS);
    recoveries.prune(now - RECOVERIES_MS);
    records.prune(now);
  };
  const timer = setInterval(() => database.exclusive(tidy).catch(failed), MINUTE_MS).unref();
  return () => clearInterval(timer);
};
