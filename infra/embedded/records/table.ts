import { Fault } from '#domain/fault.ts';
import { Lru } from '#domain/lru.ts';
import type { StoredRecord } from '#domain/ports/record-store.ts';
import type { SideRecord } from '#domain/side-record.ts';
import type { BatchListener } from '#infra/embedded/redo-log/commit-queue.ts';
import type { Database } from '#infra/embedded/redo-log/database.ts';
import { WriteBehindCache } from '#infra/embedded/redo-log/write-behind.ts';

/** A record as it is stored; `expires` in ms. */
interface RecordTableRow {
  readonly id: string;
  readonly revision: number;
  readonly body: string;
  readonly expires: number | null;
}
interface RecordListOptions {
  readonly now: number;
  readonly after?: string;
  readonly limit: number;
  readonly descending?: boolean;
}
/** The stored or pending value of a record; null: none. */
interface KnownRecord {
  readonly row: RecordTableRow | null;
}

const isLive = ({ expires }: Pick<RecordTableRow, 'expires'>, now: number): boolean =>
  expires === null || expires > now;

/** The order of SQLite. */
const compareIds = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));

/** A page of stored rows as it is with changes that are not stored yet; `stored` has as many rows more as there are changes. */
function withChanges(
  stored: readonly RecordTableRow[],
  changes: Pick<WriteBehindCache<string, KnownRecord>, 'get' | 'entries'>,
  { now, after, limit, descending = false }: RecordListOptions,
): RecordTableRow[] {
  const sign = descending ? -1 : 1;
  const changed = [...changes.entries()].flatMap(([, { row }]) => {
    const isShown = row !== null && isLive(row, now) && (after === undefined || sign * compareIds(row.id, after) > 0);
    return isShown ? [row] : [];
  });
  return [...stored.filter(({ id }) => changes.get(id) === undefined), ...changed]
    .sort((a, b) => sign * compareIds(a.id, b.id))
    .slice(0, limit);
}

/** Records as they will be when all submitted batches are applied; those of a tenant and kind can be listed. */
class PendingRecords<V extends {}> implements BatchListener {
  readonly #isRecording: () => boolean;
  readonly #scopes = new Map<string, WriteBehindCache<string, V>>();
  /** Scopes that the batch being recorded changes, and scopes that each pending batch has changed. */
  #open = new Set<string>();
  readonly #batches = new Map<number, ReadonlySet<string>>();

  constructor(isRecording: () => boolean) {
    this.#isRecording = isRecording;
  }

  /** Returns pending values by id; undefined when nothing is pending. */
  in(scope: string): Pick<WriteBehindCache<string, V>, 'get' | 'entries' | 'size'> | undefined {
    return this.#scopes.get(scope);
  }

  /** Does nothing while no batch is recorded: then the write is in the file at once. */
  set(scope: string, id: string, value: V): void {
    if (!this.#isRecording()) return;
    let records = this.#scopes.get(scope);
    if (records === undefined) {
      records = new WriteBehindCache(this.#isRecording);
      this.#scopes.set(scope, records);
    }
    records.set(id, value);
    this.#open.add(scope);
  }

  submitted(batch: number): void {
    if (this.#open.size === 0) return;
    for (const scope of this.#open) this.#scopes.get(scope)?.submitted(batch);
    this.#batches.set(batch, this.#open);
    this.#open = new Set();
  }
  applied(batch: number): void {
    this.#end(batch);
  }
  lost(batch: number): void {
    this.#end(batch);
  }
  discarded(): void {
    for (const scope of this.#open) this.#each(scope, (records) => records.discarded());
    this.#open = new Set();
  }

  #end(batch: number): void {
    for (const scope of this.#batches.get(batch) ?? []) this.#each(scope, (records) => records.applied(batch));
    this.#batches.delete(batch);
  }

  #each(scope: string, tell: (records: WriteBehindCache<string, V>) => void): void {
    const records = this.#scopes.get(scope);
    if (records === undefined) return;
    tell(records);
    if (records.size === 0) this.#scopes.delete(scope);
  }
}

/**
 * Synchronous form of RecordStore; `now` (ms) decides expiry. Shows the future state of records after all submitted
 * batches.
 */
export interface RecordTable {
  get<T>(tenant: string, kind: string, id: string, now: number): StoredRecord<T> | undefined;
  put(tenant: string, kind: string, id: string, body: unknown, options: PutOptions): number;
  /** New records, as part of the transaction that they go along with. */
  add(sideRecords: readonly SideRecord[]): void;
  remove(tenant: string, kind: string, id: string, now: number, sideRecords?: readonly SideRecord[]): boolean;
  list<T>(tenant: string, kind: string, options: RecordListOptions): StoredRecord<T>[];
  /** Deletes expired records; returns their number. */
  prune(now: number): number;
}
interface PutOptions {
  readonly now: number;
  readonly expected?: number;
  readonly expiresAt?: number;
  readonly sideRecords?: readonly SideRecord[];
}
type RecordHead = Pick<RecordTableRow, 'revision' | 'expires'>;
const toRecord = <T>({ id, revision, body }: RecordTableRow): StoredRecord<T> => ({
  id,
  revision,
  body: JSON.parse(body) as T,
});

/** Characters of bodies held in memory, so that records of every request read no page. */
const RECENT_CHARACTERS = 8 * 1024 * 1024;
/** A longer body is seldom requested, and would evict a hundred others. */
const MAX_REMEMBERED = 16_384;
const weigh = ({ row }: KnownRecord): number => 200 + (row?.body.length ?? 0);
const hold = (recent: Lru<string, KnownRecord>, key: string, known: KnownRecord): void => {
  if ((known.row?.body.length ?? 0) <= MAX_REMEMBERED) recent.set(key, known);
  else recent.delete(key);
};
const scopeOf = (tenant: string, kind: string): string => `${tenant}\n${kind}`;
const keyOf = (tenant: string, kind: string, id: string): string => `${scopeOf(tenant, kind)}\n${id}`;

const listStored = (
  database: Database,
  tenant: string,
  kind: string,
  { now, after, limit, descending = false }: RecordListOptions,
): RecordTableRow[] => {
  const [beyond, order] = descending ? ['id < ?', 'DESC'] : ['id > ?', 'ASC'];
  const sql = `SELECT id, revision, body, expires_at AS expires FROM record
      WHERE tenant = ? AND kind = ? AND (expires_at IS NULL OR expires_at > ?)
        ${after === undefined ? '' : `AND ${beyond}`} ORDER BY id ${order} LIMIT ?`;
  return database.statement<RecordTableRow>(sql).all(tenant, kind, now, ...(after === undefined ? [] : [after]), limit);
};

type ReadOne<T> = (database: Database, tenant: string, kind: string, id: string) => T | null;
const ONE = 'FROM record WHERE tenant = ? AND kind = ? AND id = ?';
const readRow: ReadOne<RecordTableRow> = (database, ...key) =>
  database.statement<RecordTableRow>(`SELECT id, revision, body, expires_at AS expires ${ONE}`).get(...key) ?? null;
const readHead: ReadOne<RecordHead> = (database, ...key) =>
  database.statement<RecordHead>(`SELECT revision, expires_at AS expires ${ONE}`).get(...key) ?? null;

const writeRow = (database: Database, tenant: string, kind: string, row: RecordTableRow): void => {
  const { id, revision, expires, body } = row;
  const sql = 'INSERT OR REPLACE INTO record VALUES (?, ?, ?, ?, ?, ?)';
  database.write(sql, tenant, kind, id, revision, expires, body);
};

/** One per database: it caches its writes, so a second one would read stale rows. */
export const openRecordTable = (database: Database): RecordTable => {
  const recent = new Lru<string, KnownRecord>(RECENT_CHARACTERS, weigh);
  database.onRollback(() => recent.clear());
  const pending = database.addListener((isRecording) => new PendingRecords<KnownRecord>(isRecording));
  const remember = (tenant: string, kind: string, id: string, row: RecordTableRow | null): void => {
    pending.set(scopeOf(tenant, kind), id, { row });
    hold(recent, keyOf(tenant, kind, id), { row });
  };
  const knownOf = (tenant: string, kind: string, id: string): KnownRecord | undefined =>
    pending.in(scopeOf(tenant, kind))?.get(id) ?? recent.get(keyOf(tenant, kind, id));
  const find = (tenant: string, kind: string, id: string, now: number): RecordTableRow | undefined => {
    let known = knownOf(tenant, kind, id);
    if (known === undefined) {
      known = { row: readRow(database, tenant, kind, id) };
      hold(recent, keyOf(tenant, kind, id), known);
    }
    const { row } = known;
    return row !== null && isLive(row, now) ? row : undefined;
  };
  /** 0: there is none. A body may be large, and who writes does not want it. */
  const revisionOf = (tenant: string, kind: string, id: string, now: number): number => {
    const known = knownOf(tenant, kind, id);
    const row = known === undefined ? readHead(database, tenant, kind, id) : known.row;
    return row !== null && isLive(row, now) ? row.revision : 0;
  };
  const add = (sideRecords: readonly SideRecord[]): void => {
    for (const { tenant, kind, id, body, expiresAt = null } of sideRecords) {
      const row = { id, revision: 1, body: JSON.stringify(body), expires: expiresAt };
      writeRow(database, tenant, kind, row);
      pending.set(scopeOf(tenant, kind), id, { row });
      // Side records are seldom read.
      recent.delete(keyOf(tenant, kind, id));
    }
  };
  return {
    add,
    get<T>(tenant: string, kind: string, id: string, now: number) {
      const row = find(tenant, kind, id, now);
      return row && toRecord<T>(row);
    },
    put: (tenant, kind, id, body, { now, expected, expiresAt, sideRecords = [] }) =>
      database.transaction(() => {
        const stored = revisionOf(tenant, kind, id, now);
        if (expected !== undefined && expected !== stored)
          throw new Fault('precondition', `${kind} ${id} is at revision ${stored}, not ${expected}`);
        const row = { id, revision: stored + 1, body: JSON.stringify(body), expires: expiresAt ?? null };
        writeRow(database, tenant, kind, row);
        remember(tenant, kind, id, row);
        add(sideRecords);
        return row.revision;
      }),
    remove: (tenant, kind, id, now, sideRecords = []) =>
      database.transaction(() => {
        const there = revisionOf(tenant, kind, id, now) > 0;
        database.write(`DELETE ${ONE}`, tenant, kind, id);
        remember(tenant, kind, id, null);
        if (there) add(sideRecords);
        return there;
      }),
    list<T>(tenant: string, kind: string, options: RecordListOptions) {
      const changes = pending.in(scopeOf(tenant, kind));
      const stored = listStored(database, tenant, kind, { ...options, limit: options.limit + (changes?.size ?? 0) });
      const rows = changes === undefined ? stored : withChanges(stored, changes, options);
      return rows.map((row) => toRecord<T>(row));
    },
    prune: (now) => database.write('DELETE FROM record WHERE expires_at <= ?', now),
  };
};
