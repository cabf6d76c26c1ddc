import type { Migration } from './migration.ts';

/** Members of a group lie in the order of event time, so that the earliest of a large one are found without a look at all. */
export const memberTimes: Migration = {
  id: 15,
  name: 'member times',
  sql: `
DROP INDEX event_correlation;
CREATE INDEX event_correlation ON event (tenant, correlation_id, timestamp) WHERE correlation_id IS NOT NULL;
`,
};
