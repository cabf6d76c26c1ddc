import { Fault } from '#domain/fault.ts';
import type { StoredRecord } from '#domain/ports/record-store.ts';
import type { Database } from './database.ts';

/** Synchronous form of RecordStore; `now` (ms) decides what has expired. */
export interface RecordTable {
  get<T>(tenant: string, kind: string, id: string, now: number): StoredRecord<T> | undefined;
  put(tenant: string, kind: string, id: string, body: unknown, options: PutOptions): number;
  remove(tenant: string, kind: string, id: string, now: number): boolean;
  list<T>(tenant: string, kind: string, options: ListOptions): StoredRecord<T>[];
  /** Deletes what has expired; returns how many. */
  prune(now: number): number;
}
export interface PutOptions {
  readonly now: number;
  readonly expected?: number;
  readonly expiresAt?: number;
}
export interface ListOptions {
  readonly now: number;
  readonly after?: string;
  readonly limit: number;
  readonly descending?: boolean;
}

type Row = { id: string; revision: number; body: string };
const LIVE = '(expires_at IS NULL OR expires_at > ?)';
const toRecord = <T>({ id, revision, body }: Row): StoredRecord<T> => ({ id, revision, body: JSON.parse(body) as T });

export const openRecordTable = (database: Database): RecordTable => {
  const find = (tenant: string, kind: string, id: string, now: number): Row | undefined =>
    database
      .statement(`SELECT id, revision, body FROM record WHERE tenant = ? AND kind = ? AND id = ? AND ${LIVE}`)
      .get(tenant, kind, id, now) as Row | undefined;
  return {
    get<T>(tenant: string, kind: string, id: string, now: number) {
      const row = find(tenant, kind, id, now);
      return row && toRecord<T>(row);
    },
    put: (tenant, kind, id, body, { now, expected, expiresAt }) =>
      database.transaction(() => {
        const stored = find(tenant, kind, id, now)?.revision ?? 0;
        if (expected !== undefined && expected !== stored)
          throw new Fault('precondition', `${kind} ${id} is at revision ${stored}, not ${expected}`);
        database
          .statement('INSERT OR REPLACE INTO record VALUES (?, ?, ?, ?, ?, ?)')
          .run(tenant, kind, id, stored + 1, expiresAt ?? null, JSON.stringify(body));
        return stored + 1;
      }),
    remove(tenant, kind, id, now) {
      const there = find(tenant, kind, id, now) !== undefined;
      database.statement('DELETE FROM record WHERE tenant = ? AND kind = ? AND id = ?').run(tenant, kind, id);
      return there;
    },
    list<T>(tenant: string, kind: string, { now, after, limit, descending = false }: ListOptions) {
      const [beyond, order] = descending ? ['id < ?', 'DESC'] : ['id > ?', 'ASC'];
      const sql = `SELECT id, revision, body FROM record WHERE tenant = ? AND kind = ? AND ${LIVE}
        ${after === undefined ? '' : `AND ${beyond}`} ORDER BY id ${order} LIMIT ?`;
      const values = after === undefined ? [limit] : [after, limit];
      const rows = database.statement(sql).all(tenant, kind, now, ...values) as unknown as Row[];
      return rows.map((row) => toRecord<T>(row));
    },
    prune: (now) => Number(database.statement('DELETE FROM record WHERE expires_at <= ?').run(now).changes),
  };
};
