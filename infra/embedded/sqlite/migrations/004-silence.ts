import type { Migration } from './migration.ts';

/**
 * What ends events of which nothing is heard: those that are not resolved in the order in which they were last seen, and changes.
 * Events from before are changes by their category alone.
 */
export const silence: Migration = {
  id: 4,
  name: 'silence',
  sql: `
ALTER TABLE event ADD COLUMN is_change INTEGER NOT NULL DEFAULT 0;
UPDATE event SET is_change = 1
  WHERE status <> 2 AND lower(trim(json_extract(body, '$.category'))) IN ('change', 'deployment', 'deploy', 'release');
CREATE INDEX event_change ON event (tenant) WHERE is_change = 1 AND status <> 2;
CREATE INDEX tally_open ON tally (tenant, slot) WHERE status <> 2;
`,
};
