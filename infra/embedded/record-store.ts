import type { Clock } from '#domain/ports/clock.ts';
import type { RecordStore, StoredRecord } from '#domain/ports/record-store.ts';
import type { RecordTable } from './records/table.ts';
import type { Database } from './redo-log/database.ts';
import { joinChanges } from './redo-log/joined-changes.ts';

export function openRecordStore(database: Database, table: RecordTable, clock: Clock): RecordStore {
  const change = joinChanges(database);
  return {
    async get<T>(tenant: string, kind: string, id: string): Promise<StoredRecord<T> | null> {
      return table.get<T>(tenant, kind, id, clock.now()) ?? null;
    },
    put(tenant, kind, id, body, options = {}) {
      const now = clock.now();
      return change(() => table.put(tenant, kind, id, body, { ...options, now }));
    },
    remove(tenant, kind, id, sideRecords) {
      const now = clock.now();
      return change(() => table.remove(tenant, kind, id, now, sideRecords));
    },
    async list<T>(
      tenant: string,
      kind: string,
      options: { readonly after?: string; readonly limit: number; readonly descending?: boolean },
    ): Promise<StoredRecord<T>[]> {
      return table.list<T>(tenant, kind, { ...options, now: clock.now() });
    },
  };
}
