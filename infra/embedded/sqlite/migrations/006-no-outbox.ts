import type { Migration } from './migration.ts';

/** Nothing ever read the outbox. */
export const noOutbox: Migration = {
  id: 6,
  name: 'no-outbox',
  sql: 'DROP INDEX outbox_topic; DROP TABLE outbox;',
};
