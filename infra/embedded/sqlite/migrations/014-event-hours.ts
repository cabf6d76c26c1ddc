import type { Migration } from './migration.ts';

/** Numbers of events by hour of event time, so that a histogram of weeks reads no events but those of its first and last hour. */
export const eventHours: Migration = {
  id: 14,
  name: 'event hours',
  sql: `
CREATE TABLE event_hour (
  tenant TEXT NOT NULL, hour INTEGER NOT NULL, status INTEGER NOT NULL, severity INTEGER NOT NULL, n INTEGER NOT NULL,
  PRIMARY KEY (tenant, hour, status, severity)) STRICT, WITHOUT ROWID;
INSERT INTO event_hour
  SELECT tenant, (timestamp - (timestamp % 3600000 + 3600000) % 3600000) / 3600000, status, severity, count(*)
  FROM event GROUP BY 1, 2, 3, 4;
`,
};
