import { expect, test } from '@jest/globals';
import type { CiSort } from '#domain/ports/topology/topology-queries.ts';
import { memoryDatabase } from '#test/setup/empty-database.ts';
import { listCis, type StoredCiFilter } from './lists.ts';
import type { Statements } from './rows.ts';

const database = memoryDatabase();

/** Returns the plan of the first statement of a list: the tables that SQLite reads, and its sorts. */
function planOf(filter: StoredCiFilter, sort: CiSort): string[] {
  const texts: string[] = [];
  const listening: Statements = {
    statement(sql) {
      texts.push(sql);
      return database.statement(sql);
    },
  };
  listCis(listening, 'acme', filter, { sort, order: 'asc', limit: 10 });
  const text = texts.find((sql) => sql.includes('ORDER BY'))!;
  const values = Array.from({ length: text.split('?').length - 1 }, () => '[]');
  return database
    .statement(`EXPLAIN QUERY PLAN ${text}`)
    .all(...values)
    .map(({ detail }) => String(detail));
}

const field = { bag: 'attributes', name: 'os', value: 'linux' } as const;

test.each([
  [
    'by a field',
    { fields: [field] },
    /SEARCH ci USING INTEGER PRIMARY KEY/,
    /SEARCH ci_field USING PRIMARY KEY \(tenant=\? AND field=\? AND value=\?\)/,
  ],
  [
    'by two',
    { fields: [field, { ...field, name: 'site' }] },
    /SEARCH ci USING INTEGER PRIMARY KEY/,
    /ci_field USING PRIMARY KEY \(tenant=\?/,
  ],
  [
    'by when they were seen',
    { seenBefore: 9 },
    /SEARCH ci USING COVERING INDEX ci_list/,
    /ci_seen USING COVERING INDEX ci_seen_at \(tenant=\? AND at>\? AND at<\?\)/,
  ],
  [
    'never seen',
    { neverSeen: true },
    /SEARCH ci USING COVERING INDEX ci_list/,
    /ci_seen USING (PRIMARY KEY|COVERING INDEX ci_seen_at)/,
  ],
  ['by a text', { search: 'web' }, /SEARCH ci USING COVERING INDEX ci_list/, /^/],
  ['by ids', { ids: ['a'] }, /SEARCH ci USING INDEX ci_id \(tenant=\? AND id=\?\)/, /^/],
] as const)('a list %s reads indexes alone', (_name, filter, ci, other) => {
  database.db.exec(`INSERT OR IGNORE INTO ci_count (tenant, type, status, n) VALUES ('acme', 'server', 'active', 1)`);
  const plan = planOf(filter as StoredCiFilter, 'name');
  expect(plan).toContainEqual(expect.stringMatching(ci));
  expect(plan).toContainEqual(expect.stringMatching(other));
  expect(plan.filter((detail) => detail.startsWith('SCAN') && !detail.includes('json_each'))).toEqual([]);
});
