import type { Migration } from './migration.ts';

/** What sinks are told: one row per batch. `last`: number of its last entry; `at`: when it was written, ms; the body holds all entries. */
export const outbox: Migration = {
  id: 9,
  name: 'outbox',
  sql: 'CREATE TABLE outbox (last INTEGER PRIMARY KEY, at INTEGER NOT NULL, body TEXT NOT NULL) STRICT;',
};
