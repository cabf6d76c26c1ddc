import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Database } from '#infra/embedded/redo-log/database.ts';
import { MINUTE, NOON, sampleEvent } from '#test/contract/samples.ts';
import { memoryDatabase } from '#test/setup/empty-database.ts';
import { silentEvents, silentQuery } from './silent.ts';
import { type EventTable, openEventTable } from './table.ts';

let database: Database;
let table: EventTable;
beforeAll(() => {
  database = memoryDatabase();
  table = openEventTable(database);
  for (let number = 1; number <= 200; number++) {
    const last = NOON + number * 7 * MINUTE;
    const more = { lastOccurrence: last, updatedAt: last, ...(number % 9 === 0 && { category: 'change' }) };
    table.write(sampleEvent(number, more), new Set(['created']));
  }
});
afterAll(() => database.close());

const planOf = (changes: boolean): string => {
  const { text, values } = silentQuery('acme', { before: NOON, changes }, { seq: 3, slot: 4 }, 10);
  const rows = database.db.prepare(`EXPLAIN QUERY PLAN ${text}`).all(...values) as { detail: string }[];
  return rows.map(({ detail }) => detail).join('; ');
};

test.each([
  [true, 'SEARCH e USING INDEX event_change (tenant=? AND rowid>?)'],
  [false, 'SEARCH t USING INDEX tally_open (tenant=? AND slot>? AND slot<?)'],
])('nothing is sorted or looked at beside what is silent (changes: %s)', (changes, way) => {
  const plan = planOf(changes);
  expect(plan).toContain(way);
  expect(plan).not.toMatch(/SCAN|TEMP B-TREE/);
});

test('the longest silent come first, and the pages meet', () => {
  const filter = { before: NOON + 150 * 7 * MINUTE, changes: false };
  const found: number[] = [];
  let cursor: string | null = null;
  do {
    const page = { limit: 7, ...(cursor !== null && { cursor }) };
    const part = silentEvents(database, { tenant: 'acme', filter, page });
    found.push(...part.items.map(({ createdPosition }) => createdPosition));
    cursor = part.nextCursor;
  } while (cursor !== null);
  const expected = Array.from({ length: 149 }, (_, i) => i + 1).filter((number) => number % 9 !== 0);
  expect(found).toEqual(expected);
});

test.each(['state', 'said'] as const)('an event that becomes a change by what is said later is one (%s)', (part) => {
  const number = part === 'said' ? 2 : 1;
  table.write(sampleEvent(number, { category: 'change', position: 900 }), new Set([part]));
  const filter = { before: NOON + 3 * 7 * MINUTE, changes: true };
  const { items } = silentEvents(database, { tenant: 'acme', filter, page: { limit: 5 } });
  expect(items.map(({ createdPosition }) => createdPosition)).toContain(number);
});
