import type { DatabaseSync } from 'node:sqlite';
import { CORRELATION } from './schema/correlation.ts';
import { EVENTS } from './schema/events.ts';
import { FACETS } from './schema/facets.ts';
import { GROUP_STATE } from './schema/group-state.ts';
import { RECORDS } from './schema/records.ts';
import { SEARCH } from './schema/search.ts';
import { TOPOLOGY } from './schema/topology.ts';

/** One step of the file's layout. A step that was released never changes. */
interface Migration {
  readonly id: number;
  readonly name: string;
  /** Any number of statements; all of them are applied or none. */
  readonly sql: string;
}

/** Version 0.1.0 begins here. Layouts below are of versions before it. */
export const FIRST_LAYOUT = 100;

/** Ids count from FIRST_LAYOUT without gaps. */
export const MIGRATIONS: readonly Migration[] = [
  {
    id: FIRST_LAYOUT,
    name: 'schema',
    sql: [EVENTS, FACETS, CORRELATION, RECORDS, TOPOLOGY, SEARCH, GROUP_STATE].join(''),
  },
];

export const NEWEST_LAYOUT = FIRST_LAYOUT + MIGRATIONS.length - 1;

/** The file's layout: the id of the last migration applied, 0 for an empty file. */
export const layoutOf = (db: DatabaseSync): number =>
  Number((db.prepare('PRAGMA user_version').get() as { user_version: number }).user_version);

const apply = (db: DatabaseSync, migration: Migration): void => {
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
