import type { Database } from './database.ts';

/** A dead letter: a record that could not be handled, as it was received. */
export interface Rejected {
  /** Orders the list; a ULID. */
  readonly id: string;
  readonly tenant: string;
  readonly position: number;
  readonly processor: string;
  readonly reason: string;
  readonly record: unknown;
  /** Time of rejection, ms. */
  readonly at: number;
  readonly attempts: number;
}

export interface RejectedTable {
  /** A known id replaces its row. */
  add(rejected: Rejected): void;
  get(tenant: string, id: string): Rejected | undefined;
  /** Newest first; `before` is the id of the last row of the page before. */
  list(tenant: string, options: { readonly before?: string; readonly limit: number }): Rejected[];
  count(tenant: string): number;
  remove(tenant: string, id: string): boolean;
}

type Row = Omit<Rejected, 'record'> & { readonly record: string };
const toRejected = (row: Row): Rejected => ({ ...row, record: JSON.parse(row.record) as unknown });
/** Above every id. */
const LAST = '\u{10ffff}';

export const openRejectedTable = (database: Database): RejectedTable => ({
  add({ tenant, id, position, processor, reason, record, at, attempts }) {
    database
      .statement('INSERT OR REPLACE INTO rejected VALUES (?, ?, ?, ?, ?, ?, ?, ?)')
      .run(tenant, id, position, processor, reason, JSON.stringify(record ?? null), at, attempts);
  },
  get(tenant, id) {
    const row = database.statement('SELECT * FROM rejected WHERE tenant = ? AND id = ?').get(tenant, id);
    return row && toRejected(row as unknown as Row);
  },
  list: (tenant, { before = LAST, limit }) =>
    database
      .statement('SELECT * FROM rejected WHERE tenant = ? AND id < ? ORDER BY id DESC LIMIT ?')
      .all(tenant, before, limit)
      .map((row) => toRejected(row as unknown as Row)),
  count: (tenant) =>
    Number(database.statement('SELECT count(*) AS n FROM rejected WHERE tenant = ?').get(tenant)?.n ?? 0),
  remove: (tenant, id) =>
    database.statement('DELETE FROM rejected WHERE tenant = ? AND id = ?').run(tenant, id).changes === 1,
});
