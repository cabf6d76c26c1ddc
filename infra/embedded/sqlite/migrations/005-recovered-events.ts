import type { Migration } from './migration.ts';

/** A recovery names the event that it ended: what comes late is counted there. */
export const recoveredEvents: Migration = {
  id: 5,
  name: 'recovered-events',
  sql: 'ALTER TABLE recovery ADD COLUMN event TEXT;',
};
