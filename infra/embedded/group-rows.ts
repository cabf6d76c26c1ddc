import type { GroupRows } from '#domain/ports/events/group-rows.ts';
import { groupRow } from './correlation/group-rows.ts';
import type { CorrelationTable } from './correlation/table.ts';
import type { Database } from './journal/database.ts';
import type { Reader } from './reader/reader.ts';

/** Points are read here, lists in the reader thread. */
export const openGroupRows = (database: Database, table: CorrelationTable, reader: Reader): GroupRows => ({
  find: (tenant, filter, page) => reader.run('groups.rows', { tenant, filter, page }),
  async get(tenant, idOrAlias) {
    const group = table.group(tenant, idOrAlias);
    return group === undefined ? null : groupRow(database, tenant, group.id);
  },
  countByAge: (tenant, now) => reader.run('groups.ages', { tenant, now }),
  // A row is brought up to date with the record that was put.
  refresh: () => database.applied(),
});
