import { setImmediate } from 'node:timers/promises';
import type { TenantPurge } from '#domain/ports/tenant-purge.ts';
import type { RowReader } from '#infra/embedded/redo-log/connections.ts';
import type { Tables } from './open-tables.ts';
import type { Database } from './redo-log/database.ts';
import { outboxTurn } from './sinks/tidy-outbox.ts';
import type { EmbeddedTopology } from './topology-store.ts';

/** A table whose rows belong to tenants. */
interface TenantTable {
  readonly name: string;
  /** The key by which a row is deleted: `rowid`, or the columns of the primary key. */
  readonly key: readonly string[];
  /** True if the rows of a tenant are found without scanning others. */
  readonly isIndexed: boolean;
}

const TABLES = `SELECT l.name, l.wr FROM pragma_table_list l JOIN pragma_table_info(l.name) c
  WHERE l.schema = 'main' AND l.type = 'table' AND c.name = 'tenant' ORDER BY l.name LIKE 'relationship%' DESC, l.name`;
const KEY = 'SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk';
const INDEXED = `SELECT 1 FROM pragma_index_list(?) i JOIN pragma_index_info(i.name) c
  WHERE i.partial = 0 AND c.seqno = 0 AND c.name = 'tenant'`;

/**
 * Every table with tenants, as in the file. Relationships are first: without their CIs a start could not read those
 * left by an interrupted deletion.
 */
export const tenantTables = (rows: RowReader): TenantTable[] =>
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

/**
 * Rows per transaction, so that it does not block other work: of events, which have rows in several tables, and of all
 * else.
 */
const EVENTS = 100;
const ROWS = 250;
/** Rows scanned per transaction where no index has the tenant. */
const LOOKED_AT = 5_000;

/** One step; returns true if there may be more. */
type PurgeTurn = () => boolean;

type EventTables = Pick<Tables, 'events' | 'correlation'>;

const eventsTurn =
  (database: Database, { events, correlation }: EventTables, tenant: string): PurgeTurn =>
  () => {
    const found = database.statement('SELECT id FROM event WHERE tenant = ? LIMIT ?').all(tenant, EVENTS);
    for (const { id } of found) {
      events.remove(tenant, String(id));
      correlation.forget(tenant, String(id));
    }
    return found.length > 0;
  };

const indexedTurn = (database: Database, tenant: string, { name, key }: TenantTable): PurgeTurn => {
  const columns = key.join(', ');
  const rows = `SELECT ${columns} FROM ${name} WHERE tenant = ? LIMIT ${ROWS}`;
  return () => database.write(`DELETE FROM ${name} WHERE (${columns}) IN (${rows})`, tenant) > 0;
};

/** Scans all rows of a table in the order of their numbers. */
const unindexedTurn = (database: Database, tenant: string, { name }: TenantTable): PurgeTurn => {
  const text = `DELETE FROM ${name} WHERE tenant = ? AND rowid >= ? AND rowid < ?`;
  const last = Number(database.statement(`SELECT max(rowid) AS last FROM ${name}`).get()?.last ?? 0);
  let from = 0;
  return () => {
    database.write(text, tenant, from, from + LOOKED_AT);
    from += LOOKED_AT;
    return from <= last;
  };
};

/** Deletes the rows of a tenant from every table that has any, with any name. */
export const openTenantPurge = (
  database: Database,
  tables: EventTables,
  topology: Pick<EmbeddedTopology, 'drop'>,
): TenantPurge => {
  const inTurns = async (turn: PurgeTurn, isStopping: () => boolean): Promise<void> => {
    for (let more = true; more && !isStopping(); await setImmediate())
      more = await database.exclusive(() => database.transaction(turn));
  };
  return {
    async purge(tenant, isStopping = () => false) {
      await inTurns(eventsTurn(database, tables, tenant), isStopping);
      for (const table of tenantTables(database))
        await inTurns((table.isIndexed ? indexedTurn : unindexedTurn)(database, tenant, table), isStopping);
      await inTurns(outboxTurn(database, tenant), isStopping);
      if (isStopping()) return false;
      topology.drop(tenant);
      await database.exclusive(() => database.forget());
      return true;
    },
  };
};
