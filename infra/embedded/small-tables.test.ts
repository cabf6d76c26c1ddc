import { beforeEach, describe, expect, test } from '@jest/globals';
import { NOON } from '#test/contract/samples.ts';
import { openCursorTable } from './cursor-table.ts';
import { type Database, MEMORY, openDatabase } from './database.ts';
import { openDeliveryTable } from './delivery-table.ts';
import { openOutboxTable } from './outbox-table.ts';
import { openRecordTable } from './record-table.ts';
import { openRejectedTable, type Rejected } from './rejected-table.ts';

let database: Database;
beforeEach(() => {
  database = openDatabase(MEMORY);
});

test('a cursor starts at 0 and keeps the last position of its name', () => {
  const cursor = openCursorTable(database);
  expect(cursor.read()).toBe(0);
  for (const position of [5, 2 ** 45]) cursor.write(position);
  expect([cursor.read(), openCursorTable(database, 'sink').read()]).toEqual([2 ** 45, 0]);
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

test('the outbox is read by topic from a position on and pruned up to one', () => {
  const table = openOutboxTable(database);
  const bytes = new Uint8Array([0, 255]);
  table.write({ topic: 'a', first: 1, last: 4, body: 'one' });
  table.write({ topic: 'a', first: 5, last: 9, body: bytes });
  table.write({ topic: 'b', first: 1, last: 9, body: 'other' });
  expect(table.after('a', 0, 9).map(({ body }) => body)).toEqual(['one', bytes]);
  expect(table.after('a', 4, 9).map(({ first }) => first)).toEqual([5]);
  expect(table.after('a', 3, 1).map(({ first }) => first)).toEqual([1]);
  expect(table.prune('a', 4)).toBe(1);
  expect([table.after('a', 0, 9).length, table.after('b', 0, 9).length]).toEqual([1, 1]);
});

describe('dead letters', () => {
  const letter = (id: string, changes: Partial<Rejected> = {}): Rejected => ({
    ...{
      id,
      tenant: 'acme',
      position: 7,
      processor: 'dedup',
      reason: 'bad',
      record: { a: [1] },
      at: NOON,
      attempts: 3,
    },
    ...changes,
  });

  test('are listed newest first, in pages, and counted', () => {
    const table = openRejectedTable(database);
    for (const id of ['b', 'c', 'a']) table.add(letter(id));
    expect(table.list('acme', { limit: 2 }).map(({ id }) => id)).toEqual(['c', 'b']);
    expect(table.list('acme', { limit: 2, before: 'b' })).toEqual([letter('a')]);
    table.add(letter('a', { attempts: 4 }));
    expect([table.count('acme'), table.get('acme', 'a')?.attempts]).toEqual([3, 4]);
    expect([table.remove('acme', 'a'), table.remove('acme', 'a'), table.count('acme')]).toEqual([true, false, 2]);
  });

  test('of a foreign tenant are neither shown nor removed', () => {
    const table = openRejectedTable(database);
    table.add(letter('a'));
    expect([table.get('other', 'a'), table.count('other'), table.remove('other', 'a')]).toEqual([undefined, 0, false]);
    expect(table.list('other', { limit: 9 })).toEqual([]);
  });
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
