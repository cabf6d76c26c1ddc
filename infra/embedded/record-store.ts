import type { Clock } from '#domain/ports/clock.ts';
import type { RecordStore, StoredRecord } from '#domain/ports/record-store.ts';
import type { Database } from './journal/database.ts';
import { coalesceChanges } from './records/coalesce-changes.ts';
import type { RecordTable } from './records/table.ts';

export function openRecordStore(database: Database, table: RecordTable, clock: Clock): RecordStore {
  const changes = coalesceChanges(database, table);
  return {
    async get<T>(tenant: string, kind: string, id: string): Promise<StoredRecord<T> | null> {
      return table.get<T>(tenant, kind, id, clock.now()) ?? null;
    },
    put: (tenant, kind, id, body, options = {}) =>
      changes.put(tenant, kind, id, body, { ...options, now: clock.now() }),
    remove: (tenant, kind, id, sideRecords) => changes.remove(tenant, kind, id, clock.now(), sideRecords),
    async list<T>(
      tenant: string,
      kind: string,
      options: { readonly after?: string; readonly limit: number; readonly descending?: boolean },
    ): Promise<StoredRecord<T>[]> {
      return table.list<T>(tenant, kind, { ...options, now: clock.now() });
    },
  };
}
