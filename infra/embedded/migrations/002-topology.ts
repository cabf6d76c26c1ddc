import type { Migration } from './migration.ts';

/** CIs and relationships with their history. */
export const topologyTables: Migration = { id: 2, name: 'topology', sql: '' };
