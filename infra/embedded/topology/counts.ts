/** Totals of lists, maintained as rows are written: one statement per kind and transaction. */
import { MAX_TYPES, type TypeInUse, type TypesInUse } from '#domain/ports/topology/topology-counts.ts';
import type { Statements } from './rows.ts';

const ADD = {
  ci: 'INSERT INTO ci_count (tenant, type, status, n) VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET n = n + excluded.n',
  relationship:
    'INSERT INTO relationship_count (tenant, type, ai, n) VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET n = n + excluded.n',
} as const;

export interface CountDeltas {
  /** `kind`: status of a CI; 1 or 0 for a relationship that AI has found or not. */
  add(type: string, kind: string | number, by: 1 | -1): void;
  /** Runs within the transaction that writes the rows. */
  write(db: Statements, tenant: string): void;
}

export function countDeltasOf(table: keyof typeof ADD): CountDeltas {
  const changes = new Map<string, { readonly type: string; readonly kind: string | number; by: number }>();
  return {
    add(type, kind, by) {
      const key = `${kind} ${type}`;
      const known = changes.get(key);
      if (known === undefined) changes.set(key, { type, kind, by });
      else known.by += by;
    },
    write(db, tenant) {
      for (const { type, kind, by } of changes.values())
        if (by !== 0) db.statement(ADD[table]).run(tenant, type, kind, by);
    },
  };
}

/** Proposals are not counted. */
const inUse = (db: Statements, tenant: string, table: keyof typeof ADD): TypeInUse[] =>
  db
    .statement(
      `SELECT type, sum(n) AS count FROM ${table}_count WHERE tenant = ?${table === 'relationship' ? ' AND ai = 0' : ''} GROUP BY type HAVING sum(n) > 0
       ORDER BY count DESC, type LIMIT ?`,
    )
    .all(tenant, MAX_TYPES)
    .map(({ type, count }) => ({ type: String(type), count: Number(count) }));

export const typesInUse = (db: Statements, tenant: string): TypesInUse => ({
  cis: inUse(db, tenant, 'ci'),
  relationships: inUse(db, tenant, 'relationship'),
});
