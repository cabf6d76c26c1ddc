import { expect, test } from '@jest/globals';
import { MINUTE, NOON, sampleEvent } from '#test/contract/samples.ts';
import { memoryDatabase } from '#test/setup/empty-database.ts';
import { historyOf } from '../reader/queries.ts';
import { openEventTable } from './table.ts';

test('only the events that are given back are looked at', () => {
  const database = memoryDatabase();
  const table = openEventTable(database);
  for (let number = 1; number <= 50; number++) table.write(sampleEvent(number), new Set(['created']));
  const range = { from: NOON, to: NOON + 100 * MINUTE, limit: 4 };
  const found = historyOf(database, { tenant: 'acme', signatures: ['signature'], ...range }).get('signature');
  expect(found?.map(({ timestamp }) => (timestamp - NOON) / MINUTE)).toEqual([50, 49, 48, 47]);
  const plan = database.db
    .prepare(
      `EXPLAIN QUERY PLAN SELECT id FROM event INDEXED BY event_signature
       WHERE tenant = 'acme' AND signature = 'a' AND timestamp BETWEEN 1 AND 2 ORDER BY timestamp DESC LIMIT 4`,
    )
    .all() as { detail: string }[];
  expect(plan.map(({ detail }) => detail)).toEqual([
    'SEARCH event USING INDEX event_signature (tenant=? AND signature=? AND timestamp>? AND timestamp<?)',
  ]);
  database.close();
});
