import type { Reading } from '#infra/embedded/journal/connections.ts';

/** A table whose rows belong to tenants. */
export interface TenantTable {
  readonly name: string;
  /** The key by which a row is deleted: `rowid`, or the columns of the primary key. */
  readonly key: readonly string[];
  /** Whether the rows of a tenant are found without looking at others. */
  readonly isIndexed: boolean;
}

const TABLES = `SELECT l.name, l.wr FROM pragma_table_list l JOIN pragma_table_info(l.name) c
  WHERE l.schema = 'main' AND l.type = 'table' AND c.name = 'tenant' ORDER BY l.name LIKE 'relationship%' DESC, l.name`;
const KEY = 'SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk';
const INDEXED = `SELECT 1 FROM pragma_index_list(?) i JOIN pragma_index_info(i.name) c
  WHERE i.partial = 0 AND c.seqno = 0 AND c.name = 'tenant'`;

/**
 * Every table that names tenants, as the file has them. Relationships come first: without their CIs a start could not read those that a
 * deletion which was cut off has left.
 */
export const tenantTables = (rows: Reading): TenantTable[] =>
  rows
    .statement(TABLES)
    .all()
    .map(({ name, wr }) => ({
      name: String(name),
      key:
        wr === 1
          ? rows
              .statement(KEY)
              .all(String(name))
              .map((column) => String(column.name))
          : ['rowid'],
      isIndexed: rows.statement(INDEXED).get(String(name)) !== undefined,
    }));
