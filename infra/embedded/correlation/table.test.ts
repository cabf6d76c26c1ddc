import { afterEach, expect, test } from '@jest/globals';
import { openTables } from '#infra/embedded/open-tables.ts';
import type { Database } from '#infra/embedded/redo-log/database.ts';
import { sampleDecision, sampleEnriched, sampleLink, ulidOf } from '#test/contract/samples.ts';
import { memoryDatabase } from '#test/setup/empty-database.ts';
import { eventNumber, packDecision } from './decision-row.ts';

let database: Database;
const open = () => {
  database = memoryDatabase();
  return openTables(database).correlation;
};
afterEach(() => database.close());

/** Two numbers of ids that share a key. */
const sharing = (): [number, number] => {
  const seen = new Map<number, number>();
  for (let n = 1; ; n++) {
    const key = eventNumber(ulidOf(n));
    const other = seen.get(key);
    if (other !== undefined) return [other, n];
    seen.set(key, n);
  }
};

test('events that share a key are told apart, when found and when forgotten', () => {
  const table = open();
  const [a, b] = sharing();
  const about = [sampleDecision(a, { accepted: [sampleLink(b)] }), sampleDecision(90_001, { refused: [] })] as const;
  const others = sampleDecision(90_002, { accepted: [sampleLink(b)] });
  for (const decision of [...about, others]) table.writeDecision(packDecision(decision));
  expect(table.decisionsOf('acme', [ulidOf(a)], 9)).toEqual([about[0]]);
  expect(table.decisionsOf('acme', [ulidOf(b)], 9)).toEqual([about[0], others]);
  table.forget('acme', ulidOf(a));
  expect(table.decisionsOf('acme', [ulidOf(a)], 9)).toEqual([]);
  expect(table.decisionsOf('acme', [ulidOf(b)], 9)).toEqual([others]);
});

test('an event that is forgotten leaves nothing, and its partners their own', () => {
  const table = open();
  for (const n of [1, 2]) table.writeEnriched(sampleEnriched(n));
  const joined = sampleDecision(2, { accepted: [sampleLink(1)], joined: [ulidOf(2)] });
  table.writeDecision(packDecision(joined));
  table.forget('other', ulidOf(1));
  table.forget('acme', ulidOf(1));
  expect(table.decisionsOf('acme', [ulidOf(2)], 9)).toEqual([joined]);
  expect([1, 2].map((n) => table.enriched('acme', ulidOf(n))?.arrival.position)).toEqual([undefined, 2]);
  table.forget('acme', ulidOf(2));
  const [rows] = database.arrays('SELECT count(*) FROM decision_link').get() as unknown as [number];
  expect(rows).toBe(0);
});
