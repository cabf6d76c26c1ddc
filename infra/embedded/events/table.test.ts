import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Event } from '#domain/event/event.ts';
import type { EventPart } from '#domain/pipeline/processor.ts';
import type { Database } from '#infra/embedded/redo-log/database.ts';
import { fullEvent, MINUTE, NOON, sampleEvent, ulidOf } from '#test/contract/samples.ts';
import { memoryDatabase } from '#test/setup/empty-database.ts';
import { type EventTableRow, magnitude, SELECT_EVENT, toEvent } from './row.ts';
import { type EventTable, openEventTable } from './table.ts';

let database: Database;
let table: EventTable;
beforeEach(() => {
  database = memoryDatabase();
  table = openEventTable(database);
});

const set = (...parts: EventPart[]): ReadonlySet<EventPart> => new Set(parts);
/** Past everything the table remembers. */
const stored = (id: string): Event =>
  toEvent(database.arrays(`${SELECT_EVENT} WHERE e.id = ?`).get(id) as unknown as EventTableRow);
const without = (event: Event, ...names: (keyof Event)[]): Event =>
  Object.fromEntries(
    Object.entries(event).filter(([name]) => !names.includes(name as keyof Event)),
  ) as unknown as Event;

const fail = (): never => {
  throw new Error('forget');
};

const CHANGED: Event = {
  ...fullEvent(1),
  status: 'acknowledged',
  severity: 'critical',
  signature: 'other',
  ci: { id: 'ci-2', name: 'db-2', type: 'vm' },
  history: [],
  count: 9,
  lastOccurrence: NOON + 90 * MINUTE,
  firstOccurrence: NOON - MINUTE,
  tags: ['new'],
  details: { value: 1 },
  description: 'Something else',
  seen: { bin: 5, bits: 3 },
  conditions: [],
  title: 'Renamed',
  sourceId: 'z-9',
  hostname: 'db-09',
  ipAddress: '10.0.0.9',
  service: 'shop',
  correlationId: 'COR-new',
  updatedAt: NOON + 91 * MINUTE,
  position: 20,
};
const PARTS: Record<Exclude<EventPart, 'created'>, readonly (keyof Event)[]> = {
  tally: ['count', 'firstOccurrence', 'lastOccurrence', 'tags', 'details', 'description', 'seen', 'conditions'],
  state: ['status', 'severity', 'signature', 'history', 'ci'],
  said: ['title', 'sourceId', 'hostname', 'ipAddress', 'service'],
  assigned: ['correlationId'],
};
const pick = (names: readonly (keyof Event)[]) => Object.fromEntries(names.map((name) => [name, CHANGED[name]]));

describe('a write', () => {
  test.each(Object.keys(PARTS) as (keyof typeof PARTS)[])('of %s changes that part alone', (part) => {
    table.write(fullEvent(1), set('created'));
    expect(table.write(CHANGED, set(part))).toBe(true);
    const expected = { ...fullEvent(1), ...pick(PARTS[part]), position: 20, updatedAt: CHANGED.updatedAt };
    expect(stored(CHANGED.id)).toEqual(expected);
    expect(table.get('acme', CHANGED.id)).toEqual(expected);
  });

  test.each([
    ['tally', 'status'],
    ['tally', 'correlationId'],
    ['state', 'count'],
    ['assigned', 'tags'],
  ] as const)('of %s that comes with another %s does not let the table believe it', (part, field) => {
    table.write(fullEvent(1), set('created'));
    table.write({ ...fullEvent(1), [field]: CHANGED[field], position: 20 }, set(part));
    expect(table.get('acme', CHANGED.id)).toEqual(stored(CHANGED.id));
    expect(stored(CHANGED.id)[field]).toEqual(fullEvent(1)[field]);
  });

  test('of state can take optional fields away', () => {
    table.write(fullEvent(1), set('created'));
    const opened = without(fullEvent(1), 'resolvedBy', 'resolvedAt', 'resolutionNotes', 'resolutionCategory');
    table.write({ ...opened, status: 'open', position: 9 }, set('state'));
    expect(table.get('acme', opened.id)).not.toHaveProperty('resolvedBy');
    expect(stored(opened.id)).not.toHaveProperty('resolvedBy');
  });

  test('is refused when the stored position is higher, also from memory', () => {
    table.write(sampleEvent(1, { position: 5 }), set('created'));
    for (const part of ['created', 'tally', 'state', 'assigned'] as const)
      expect(table.write(sampleEvent(1, { position: 4, count: 7 }), set(part))).toBe(false);
    expect(stored(ulidOf(1)).count).toBe(1);
  });

  test('of an event that is not there creates it', () => {
    expect(table.write(sampleEvent(1), set('tally'))).toBe(true);
    expect(stored(ulidOf(1))).toEqual(sampleEvent(1));
  });

  test('that is rolled back is not remembered', () => {
    table.write(sampleEvent(1), set('created'));
    const failing = () =>
      database.transaction(() => {
        table.write(sampleEvent(1, { count: 2, position: 2 }), set('tally'));
        table.write(sampleEvent(2), set('created'));
        throw new Error('no');
      });
    expect(failing).toThrow('no');
    expect(table.get('acme', ulidOf(1))?.count).toBe(1);
    expect(table.get('acme', ulidOf(2))).toBeUndefined();
  });
});

test('what was read stays as it was when more is written', () => {
  table.write(sampleEvent(1), set('created'));
  const read = [table.get('acme', ulidOf(1)), ...table.getMany([{ tenant: 'acme', id: ulidOf(1) }])];
  table.write(sampleEvent(1, { count: 2, position: 2 }), set('tally'));
  expect(read).toEqual([sampleEvent(1), sampleEvent(1)]);
  expect(table.get('acme', ulidOf(1))?.count).toBe(2);
});

test('getMany gives those that exist, in the order of the keys', () => {
  for (const number of [1, 2]) table.write(sampleEvent(number), set('created'));
  const keys = [2, 3, 1].map((number) => ({ tenant: 'acme', id: ulidOf(number) }));
  expect(table.getMany(keys).map(({ position }) => position)).toEqual([2, 1]);
  expect(table.getMany([{ tenant: 'other', id: ulidOf(1) }])).toEqual([]);
});

test('getMany reads many at once, of several tenants, and a rolled-back read is not remembered', () => {
  const events = Array.from({ length: 20 }, (_, i) => sampleEvent(i + 1, { tenant: i % 2 ? 'acme' : 'other' }));
  for (const event of events) table.write(event, set('created'));
  expect(() =>
    database.transaction(() => {
      throw new Error('forget');
    }),
  ).toThrow('forget');
  expect(table.getMany(events)).toEqual(events);
  expect(table.getMany(events.map(({ id }) => ({ tenant: 'acme', id })))).toHaveLength(10);
});

test('remove leaves nothing behind', () => {
  table.write(sampleEvent(1), set('created'));
  expect(table.remove('other', ulidOf(1))).toBe(false);
  expect(table.remove('acme', ulidOf(1))).toBe(true);
  expect(table.remove('acme', ulidOf(1))).toBe(false);
  expect(table.get('acme', ulidOf(1))).toBeUndefined();
  for (const count of ['count(*) FROM tally', 'count(*) FROM event_text', 'sum(n) FROM event_count'])
    expect(database.arrays(`SELECT ${count}`).get()).toEqual([0]);
});

test('search follows a description whose words change, and ignores a mere reading', () => {
  const found = (word: string) =>
    database.arrays('SELECT count(*) FROM event_text WHERE event_text MATCH ?').get(`"${word}"`)?.[0 as never];
  table.write(sampleEvent(1, { description: 'cpu at 91 percent' }), set('created'));
  table.write(sampleEvent(1, { description: 'cpu at 97 percent', position: 2 }), set('tally'));
  expect([found('91'), found('97')]).toEqual([1, 0]);
  table.write(sampleEvent(1, { description: 'memory at 97 percent', position: 3 }), set('tally'));
  expect([found('cpu'), found('memory'), found('disk')]).toEqual([0, 1, 1]);
});

test('repeats with other readings leave the row of the event alone, and none of them is lost', () => {
  const row = () => database.arrays('SELECT e.*, t.slot, t.magnitude FROM event e JOIN tally t USING (seq)').get();
  table.write(fullEvent(1), set('created'));
  const before = row();
  for (let count = 2; count < 8; count++) {
    const { lastOccurrence, details } = table.get('acme', ulidOf(1)) as Event;
    const reading = {
      count,
      position: count,
      lastOccurrence: lastOccurrence + 1,
      details: { ...details, value: count },
    };
    table.write({ ...(table.get('acme', ulidOf(1)) as Event), ...reading }, set('tally'));
    expect(stored(ulidOf(1))).toMatchObject(reading);
  }
  expect(row()).toEqual(before);
});

test('what repeats say at length is kept too, also after it was read back', () => {
  for (const text of ['short', 'long '.repeat(100), 'again']) {
    const tags = [text];
    table.write(sampleEvent(1, { details: { text }, description: text }), set('tally'));
    expect(stored(ulidOf(1))).toMatchObject({ details: { text }, description: text });
    expect(() => database.transaction(() => fail())).toThrow('forget');
    const read = table.get('acme', ulidOf(1)) as Event;
    table.write({ ...read, tags, details: { ...read.details, more: 1 } }, set('tally'));
    expect(stored(ulidOf(1))).toMatchObject({ details: { text, more: 1 }, description: text, tags });
  }
});

test('magnitude never falls as the count grows, and moves seldom', () => {
  const steps = Array.from({ length: 100_000 }, (_, i) => magnitude(i + 2) - magnitude(i + 1));
  const moves = steps.filter((step) => step !== 0);
  expect(new Set(moves)).toEqual(new Set([1]));
  expect([1, 7, 8, 63, 64].map(magnitude)).toEqual([0, 0, 1, 3, 4]);
  expect(moves.length).toBeLessThan(180);
});
