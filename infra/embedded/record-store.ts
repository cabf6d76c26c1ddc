import type { Clock } from '#domain/ports/clock.ts';
import type { RecordStore, StoredRecord } from '#domain/ports/record-store.ts';
import type { Database } from './database.ts';
import { gatheredPuts } from './gathered-puts.ts';
import { openRecordTable } from './record-table.ts';

export function openRecordStore(database: Database, clock: Clock): RecordStore {
  const table = openRecordTable(database);
  const { put, flush } = gatheredPuts(database, table);
  return {
    async get<T>(tenant: string, kind: string, id: string): Promise<StoredRecord<T> | null> {
      flush();
      return table.get<T>(tenant, kind, id, clock.now()) ?? null;
    },
    put: (tenant, kind, id, body, options = {}) => put(tenant, kind, id, body, { ...options, now: clock.now() }),
    async remove(tenant, kind, id) {
      flush();
      return table.remove(tenant, kind, id, clock.now());
    },
    async list<T>(
      tenant: string,
      kind: string,
      options: { readonly after?: string; readonly limit: number; readonly descending?: boolean },
    ): Promise<StoredRecord<T>[]> {
      flush();
      return table.list<T>(tenant, kind, { ...options, now: clock.now() });
    },
  };
}
