import type { Migration } from './migration.ts';

/**
 * What silences and maintenance suppress now, and what each of them has caught. CIs in maintenance are few: an index names them, so
 * that a start reads no others.
 */
export const silences: Migration = {
  id: 12,
  name: 'silences',
  sql: `
ALTER TABLE event ADD COLUMN silenced_by TEXT;
CREATE INDEX event_silenced ON event (tenant, silenced_by) WHERE silenced_by IS NOT NULL;
CREATE INDEX event_held ON event (tenant, silenced_by, seq) WHERE silenced_by IS NOT NULL AND status = 3;
CREATE INDEX ci_maintained ON ci (tenant, id) WHERE status = 'maintenance' OR instr(custom_fields, '"maintenance_window"') > 0;
`,
};
