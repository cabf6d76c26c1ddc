import type { DatabaseSync } from 'node:sqlite';
import { pipelineTables } from './migrations/001-pipeline.ts';
import { topologyTables } from './migrations/002-topology.ts';
import { ciFields } from './migrations/003-ci-fields.ts';
import { silence } from './migrations/004-silence.ts';
import { recoveredEvents } from './migrations/005-recovered-events.ts';
import { noOutbox } from './migrations/006-no-outbox.ts';
import { eventSignature } from './migrations/007-event-signature.ts';
import { fromAi } from './migrations/008-from-ai.ts';
import { outbox } from './migrations/009-outbox.ts';
import { search } from './migrations/010-search.ts';
import { facets } from './migrations/011-facets.ts';
import { silences } from './migrations/012-silences.ts';
import { groupState } from './migrations/013-group-state.ts';
import { eventHours } from './migrations/014-event-hours.ts';
import { memberTimes } from './migrations/015-member-times.ts';
import { groupStanding } from './migrations/016-group-standing.ts';
import { emptyGroups } from './migrations/017-empty-groups.ts';
import { assignedTeams } from './migrations/018-assigned-teams.ts';
import type { Migration } from './migrations/migration.ts';

export const MIGRATIONS: readonly Migration[] = [
  pipelineTables,
  topologyTables,
  ciFields,
  silence,
  recoveredEvents,
  noOutbox,
  eventSignature,
  fromAi,
  outbox,
  search,
  facets,
  silences,
  groupState,
  eventHours,
  memberTimes,
  groupStanding,
  emptyGroups,
  assignedTeams,
];

/** The file's layout: the id of the last migration applied, 0 for an empty file. */
export const layoutOf = (db: DatabaseSync): number =>
  Number((db.prepare('PRAGMA user_version').get() as { user_version: number }).user_version);

const apply = (db: DatabaseSync, migration: Migration): void => {
  for (const [name, work] of Object.entries(migration.functions ?? {})) db.function(name, { varargs: true }, work);
  db.exec('BEGIN IMMEDIATE');
  try {
    db.exec(migration.sql);
    db.exec(`PRAGMA user_version = ${migration.id}`);
    db.exec('COMMIT');
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK');
    throw new Error(`Migration ${migration.id} (${migration.name}) failed`, { cause: error });
  }
};

/** Brings the file to the newest layout, each step in its own transaction. */
export function migrate(db: DatabaseSync, migrations: readonly Migration[] = MIGRATIONS): void {
  const layout = layoutOf(db);
  for (const migration of migrations) if (migration.id > layout) apply(db, migration);
}
