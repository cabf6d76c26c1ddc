/** Files of a data directory that a killed server leaves. */
export const FILES = ['faultline.db', 'faultline.db-wal', 'faultline.redo', 'faultline.redo2'] as const;

/** A later version answers these the same, perhaps with more fields. */
export const ASKED = [
  '/api/events',
  '/api/events/groups',
  '/v1/cmdb/ci',
  '/v1/cmdb/relationships',
  '/api/events/silences',
  '/api/admin/users',
  '/api/admin/audit',
  '/api/webhooks',
  '/api/services',
] as const;

/** A record as a topic has it, with the schema of its writer. */
export interface KeptRecord {
  readonly topic: string;
  readonly schema: object;
  readonly bytes: string;
}
