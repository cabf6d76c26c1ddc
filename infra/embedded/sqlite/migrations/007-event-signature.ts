import type { Migration } from './migration.ts';

/**
 * What was complained about before. Events from before are found among the newest 200,000: an older file is opened within seconds,
 * and history reaches back 30 days only.
 */
export const eventSignature: Migration = {
  id: 7,
  name: 'event-signature',
  sql: `
ALTER TABLE event ADD COLUMN signature TEXT;
UPDATE event SET signature = json_extract(state, '$.signature') WHERE seq > (SELECT max(seq) FROM event) - 200000;
CREATE INDEX event_signature ON event (tenant, signature, timestamp) WHERE signature IS NOT NULL;
`,
};
