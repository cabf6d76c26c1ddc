import { beforeEach, expect, test } from '@jest/globals';
import { DEAD_LETTER_KIND } from '#domain/ports/operations.ts';
import { SYSTEM_TENANT } from '#domain/ports/record-store.ts';
import type { Database } from '#infra/embedded/redo-log/database.ts';
import { NOON } from '#test/contract/samples.ts';
import { memoryDatabase } from '#test/setup/empty-database.ts';
import { openCursorTable } from './cursor-table.ts';
import { openDeadLetterTable } from './dead-letters.ts';
import { openDeliveryTable } from './delivery-table.ts';
import { openRecordTable } from './table.ts';

let database: Database;
beforeEach(() => {
  database = memoryDatabase();
});

test('a cursor starts at 0 and keeps the last position of its name', () => {
  const cursor = openCursorTable(database);
  expect(cursor.read()).toBe(0);
  for (const position of [5, 2 ** 45]) cursor.write(position);
  expect([cursor.read(), openCursorTable(database, 'other').read()]).toEqual([2 ** 45, 0]);
});

test('the first answer to a delivery counts, for its tenant', () => {
  const table = openDeliveryTable(database);
  const receipt = { ok: true, outcome: 'created', id: 'x', count: 1, correlationId: null } as const;
  const delivery = { tenant: 'acme', id: 'd1', at: NOON, position: 3, receipt };
  expect([table.write(delivery), table.write({ ...delivery, position: 9 })]).toEqual([true, false]);
  expect(table.get('acme', 'd1')).toEqual(delivery);
  expect(table.get('other', 'd1')).toBeUndefined();
  expect([table.prune(NOON), table.prune(NOON + 1), table.get('acme', 'd1')]).toEqual([0, 1, undefined]);
});

test('a dead letter is kept in its tenant, or in the system when it names none, and goes after 30 days', () => {
  const rejected = { topic: 'events.incoming', processor: 'dedup', reason: 'bad' };
  const records = openRecordTable(database);
  const table = openDeadLetterTable(records);
  table.add({ ...rejected, entry: { tenant: 'acme', position: 7, value: { a: [1] } } }, 'a', NOON);
  table.add({ ...rejected, entry: { tenant: '', position: 8, value: undefined } }, 'b', NOON);
  const letters = (tenant: string, now = NOON) =>
    records.list(tenant, DEAD_LETTER_KIND, { now, limit: 9 }).map(({ body }) => body);
  expect(letters('acme')).toEqual([
    {
      id: 'a',
      ...rejected,
      partition: 0,
      offset: 7,
      position: 7,
      attempts: 1,
      at: NOON,
      settled: null,
      content: { kind: 'json', record: { a: [1] } },
    },
  ]);
  expect(letters(SYSTEM_TENANT)).toMatchObject([{ id: 'b', content: { record: null } }]);
  const day = 24 * 3_600_000;
  expect([letters('acme', NOON + 30 * day - 1).length, letters('acme', NOON + 30 * day).length]).toEqual([1, 0]);
});

test('a record of a transaction that was rolled back is not remembered', () => {
  const table = openRecordTable(database);
  expect(table.get('t', 'kind', 'undone', 0)).toBeUndefined();
  const undo = () =>
    database.transaction(() => {
      table.put('t', 'kind', 'undone', { a: 1 }, { now: 0 });
      expect(table.get('t', 'kind', 'undone', 0)).toMatchObject({ revision: 1, body: { a: 1 } });
      throw new Error('undo');
    });
  expect(undo).toThrow('undo');
  expect(table.get('t', 'kind', 'undone', 0)).toBeUndefined();
});

test('records that have expired can be deleted', () => {
  const table = openRecordTable(database);
  table.put('acme', 'lease', 'a', 1, { now: NOON, expiresAt: NOON + 1 });
  table.put('acme', 'lease', 'b', 1, { now: NOON });
  expect([table.prune(NOON), table.prune(NOON + 1), table.prune(NOON + 1)]).toEqual([0, 1, 0]);
  expect(table.get('acme', 'lease', 'b', NOON + 5)?.body).toBe(1);
});
