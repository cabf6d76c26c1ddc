import { setImmediate } from 'node:timers/promises';
import type { TenantPurge } from '#domain/ports/tenant-purge.ts';
import type { Database } from './journal/database.ts';
import type { Tables } from './open-tables.ts';
import { type TenantTable, tenantTables } from './records/tenant-tables.ts';
import { outboxTurn } from './sinks/tidy-outbox.ts';
import type { EmbeddedTopology } from './topology-store.ts';

/** Rows per transaction, so that it holds up nobody: of events, which have rows in several tables, and of all else. */
const EVENTS = 100;
const ROWS = 250;
/** Rows looked at per transaction where no index tells which are the tenant's. */
const LOOKED_AT = 5_000;

/** One turn; says whether there may be more. */
type Turn = () => boolean;

type EventTables = Pick<Tables, 'events' | 'correlation'>;

const eventsTurn =
  (database: Database, { events, correlation }: EventTables, tenant: string): Turn =>
  () => {
    const found = database.statement('SELECT id FROM event WHERE tenant = ? LIMIT ?').all(tenant, EVENTS);
    for (const { id } of found) {
      events.remove(tenant, String(id));
      correlation.forget(tenant, String(id));
    }
    return found.length > 0;
  };

const indexedTurn = (database: Database, tenant: string, { name, key }: TenantTable): Turn => {
  const columns = key.join(', ');
  const rows = `SELECT ${columns} FROM ${name} WHERE tenant = ? LIMIT ${ROWS}`;
  return () => database.write(`DELETE FROM ${name} WHERE (${columns}) IN (${rows})`, tenant) > 0;
};

/** Goes through all rows of a table in the order of their numbers. */
const unindexedTurn = (database: Database, tenant: string, { name }: TenantTable): Turn => {
  const text = `DELETE FROM ${name} WHERE tenant = ? AND rowid >= ? AND rowid < ?`;
  const last = Number(database.statement(`SELECT max(rowid) AS last FROM ${name}`).get()?.last ?? 0);
  let from = 0;
  return () => {
    database.write(text, tenant, from, from + LOOKED_AT);
    from += LOOKED_AT;
    return from <= last;
  };
};

/** Deletes the rows of a tenant from every table that has any, whatever its name. */
export const openTenantPurge = (
  database: Database,
  tables: EventTables,
  topology: Pick<EmbeddedTopology, 'drop'>,
): TenantPurge => {
  const inTurns = async (turn: Turn, isStopping: () => boolean): Promise<void> => {
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
