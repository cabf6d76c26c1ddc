import type { Migration } from './migration.ts';

/** Few relationships are proposals, or were: lists of them read no other. */
export const fromAi: Migration = {
  id: 8,
  name: 'from-ai',
  sql: `CREATE INDEX relationship_from_ai ON relationship (tenant, created_at, id)
    WHERE discovered_by IN ('ai', 'ai-accepted')`,
};
