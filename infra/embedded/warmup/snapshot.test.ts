import { beforeEach, expect, test } from '@jest/globals';
import type { Event } from '#domain/event/event.ts';
import type { OpenEvent, Restorable } from '#domain/pipeline/processor.ts';
import { packDecision } from '#infra/embedded/correlation/decision-row.ts';
import { openTables, type Tables } from '#infra/embedded/open-tables.ts';
import { openRecoveryTable } from '#infra/embedded/records/recovery-table.ts';
import type { Database } from '#infra/embedded/redo-log/database.ts';
import {
  MINUTE,
  NOON,
  sampleDecision,
  sampleEnriched,
  sampleEvent,
  sampleGroup,
  ulidOf,
} from '#test/contract/samples.ts';
import { allInPieces, allOf } from '#test/setup/all-of.ts';
import { memoryDatabase } from '#test/setup/empty-database.ts';
import { openReadAhead } from './read-ahead.ts';
import { openEvents, openSnapshot } from './snapshot.ts';

let database: Database;
let tables: Tables;
beforeEach(() => {
  database = memoryDatabase();
  tables = openTables(database);
});
/** Returns the rows that a start would read now. */
const rows = (now = Number.POSITIVE_INFINITY): Restorable => openSnapshot(database, tables.names, now);

test('an empty store gives nothing', async () => {
  const everything = [
    rows().openEvents(),
    rows().seen(0),
    rows().recoveries(0),
    rows().arrivals(0),
    rows().openGroups(),
  ];
  for (const kind of [...everything, rows().decisions(0), rows().watermarks()] as AsyncIterable<unknown>[])
    expect((await allOf(kind)).flat()).toEqual([]);
});

/** Returns the fields by which deduplication finds an event. */
const slim = (event: Event, sourceIds?: string[]): OpenEvent => {
  const { tenant, id, identity, source, sourceId, conditions, createdPosition, position } = event;
  const details = sourceIds === undefined ? {} : { sourceIds };
  return { tenant, id, identity, source, sourceId, conditions, createdPosition, position, details };
};

test('events that are not resolved come back, of all tenants', async () => {
  const table = tables.events;
  const sourceIds = ['s-1', 's-8'];
  const events = [
    sampleEvent(1, { position: 30, details: { value: 1, sourceIds } }),
    sampleEvent(2, { status: 'resolved', position: 31 }),
    sampleEvent(3, { status: 'suppressed', position: 12, tenant: 'other', conditions: [{ id: 'c', position: 12 }] }),
    sampleEvent(4, { status: 'acknowledged', position: 20, details: { text: '"sourceIds":[' } }),
  ] as const;
  for (const event of events) table.write(event, new Set(['created']));
  expect(await allInPieces(rows().openEvents())).toEqual([
    slim(events[0], sourceIds),
    slim(events[2]),
    slim(events[3]),
  ]);
});

test('of too many open events the newest come back', async () => {
  const table = tables.events;
  for (const number of [1, 2, 3]) table.write(sampleEvent(number), new Set(['created']));
  const ids = async (most: number) =>
    (await allInPieces(openEvents(database, openReadAhead(database), most))).map(({ id }) => id);
  expect(await ids(2)).toEqual([ulidOf(2), ulidOf(3)]);
  expect(await ids(3)).toHaveLength(3);
});

test('identities seen lately come back, counted per tenant from its newest, resolved ones too', async () => {
  const table = tables.events;
  for (const number of [1, 2, 3, 9]) {
    const seen = { bin: number, bits: 5 };
    const tenant = number === 9 ? 'other' : 'acme';
    table.write(sampleEvent(number, { seen, status: 'resolved', tenant }), new Set(['created']));
  }
  expect(await allInPieces(rows().seen(MINUTE))).toEqual([
    { tenant: 'acme', identity: 'identity-2', seen: { bin: 2, bits: 5 } },
    { tenant: 'acme', identity: 'identity-3', seen: { bin: 3, bits: 5 } },
    { tenant: 'other', identity: 'identity-9', seen: { bin: 9, bits: 5 } },
  ]);
});

test('recoveries come back by position; a later one replaces, an older one does not', async () => {
  const table = openRecoveryTable(database);
  const recovery = (conditionId: string, position: number) => ({
    tenant: 'acme',
    conditionId,
    at: NOON + position,
    receivedAt: NOON + position,
    position,
  });
  expect([recovery('a', 5), recovery('b', 3), recovery('a', 4), recovery('b', 9)].map(table.write)).toEqual([
    true,
    true,
    false,
    true,
  ]);
  expect(await allOf(rows().recoveries(NOON))).toEqual([recovery('a', 5), recovery('b', 9)]);
  expect(await allOf(rows().recoveries(NOON + 6))).toEqual([recovery('b', 9)]);
  expect([table.prune(NOON + 6), table.since(0).length]).toEqual([1, 1]);
});

test('the latest arrivals of each tenant come back by position, late ones marked', async () => {
  const table = tables.correlation;
  const records = [
    sampleEnriched(9, { time: NOON + 3 * MINUTE }),
    { ...sampleEnriched(7, { time: NOON - 500 * MINUTE, tenant: 'other' }), late: true },
    sampleEnriched(8, { time: NOON }),
  ];
  for (const record of records) table.writeEnriched(record);
  tables.events.write(sampleEvent(9), new Set(['created']));
  expect(await allInPieces(rows().arrivals(3 * MINUTE - 1))).toEqual([
    { arrival: records[1]!.arrival, late: true, turns: [] },
    { arrival: records[0]!.arrival, late: false, turns: [] },
  ]);
  expect(await allOf(rows().watermarks())).toEqual([
    { tenant: 'acme', time: NOON + 3 * MINUTE, last: NOON + 9 * MINUTE, newest: NOON + 9 * MINUTE },
    { tenant: 'other', time: NOON - 500 * MINUTE, last: NOON - 500 * MINUTE, newest: NOON - 500 * MINUTE },
  ]);
  tables.events.write(sampleEvent(2, { tenant: 'silent' }), new Set(['created']));
  expect(await allOf(rows().watermarks())).toContainEqual({
    tenant: 'silent',
    time: null,
    last: NOON + 2 * MINUTE,
    newest: NOON + 2 * MINUTE,
  });
});

test('decisions of open groups and their aliases come back with facts, and recent ones', async () => {
  const table = tables.correlation;
  for (const number of [1, 2, 3, 4, 5]) table.writeEnriched(sampleEnriched(number));
  table.writeGroup(sampleGroup(1, { aliases: ['COR-alias'], position: 9 }));
  table.writeGroup(sampleGroup(2, { status: 'closed' }));
  const joined = [ulidOf(1), ulidOf(2)];
  table.writeDecision(packDecision(sampleDecision(2, { groupId: sampleGroup(1).id, joined })));
  table.writeDecision(packDecision(sampleDecision(1, { groupId: 'COR-alias' })));
  table.writeDecision(packDecision(sampleDecision(3, { groupId: sampleGroup(2).id })));
  table.writeDecision(packDecision(sampleDecision(5)));
  table.writeDecision(
    packDecision(sampleDecision(6, { eventId: ulidOf(4), groupId: sampleGroup(1).id, manual: true })),
  );
  const found = await allOf(rows().decisions(NOON + 5 * MINUTE));
  expect(found.map(({ decision }) => decision.position)).toEqual([1, 2, 5, 6]);
  const factsOf = (n: number) => {
    const { arrival, upstream, settings } = sampleEnriched(n);
    return { arrival, upstream, settings, turns: [] };
  };
  expect(found.map(({ facts }) => facts)).toEqual([1, 2, 5, 4].map(factsOf));
  expect(found[1]!.partners).toEqual([factsOf(1)]);
  expect((await allOf(rows().openGroups())).map(({ id }) => id)).toEqual([sampleGroup(1).id]);
});

test('what was said of splits comes back, whatever has become of the groups', async () => {
  const table = tables.correlation;
  for (const number of [1, 2, 3, 4]) table.writeEnriched(sampleEnriched(number));
  const apart = { id: 's', from: 'COR-9', left: [ulidOf(1)], stayed: [ulidOf(2)] };
  const said = [sampleDecision(1, { apart }), sampleDecision(2, { heirOf: ulidOf(1) })];
  for (const decision of [...said, sampleDecision(3)]) table.writeDecision(packDecision(decision));
  const [decisions] = [await allOf(rows().decisions(NOON + 100 * MINUTE))];
  expect(decisions.map(({ decision }) => decision)).toMatchObject([{ apart }, { heirOf: ulidOf(1) }]);
  table.forget('acme', ulidOf(1));
  expect((await allOf(rows().decisions(NOON + 100 * MINUTE))).map(({ decision }) => decision.position)).toEqual([2]);
});

test('what came while a clock was ahead is no newest time, and hides nothing', async () => {
  const ahead = 30 * 24 * 60 * MINUTE;
  for (const [number, time] of [
    [1, NOON],
    [2, NOON + ahead],
    [3, NOON + MINUTE],
  ] as const) {
    tables.correlation.writeEnriched(sampleEnriched(number, { time }));
    const event = sampleEvent(number, { timestamp: time, lastOccurrence: time, status: 'resolved' });
    tables.events.write(event, new Set(['created']));
  }
  const positions = async (now: number) =>
    (await allInPieces(rows(now).arrivals(10 * MINUTE))).map(({ arrival }) => arrival.position);
  expect(await positions(NOON + 2 * MINUTE)).toEqual([1, 2, 3]);
  expect(await positions(NOON + ahead)).toEqual([2]);
  const identities = async (now: number) =>
    (await allInPieces(rows(now).seen(10 * MINUTE))).map(({ identity }) => identity);
  expect(await identities(NOON + 2 * MINUTE)).toEqual(['identity-1', 'identity-2', 'identity-3']);
  expect(await identities(NOON + ahead)).toEqual(['identity-2']);
  const newest = NOON + MINUTE;
  expect(await allOf(rows(NOON + 2 * MINUTE).watermarks())).toEqual([
    { tenant: 'acme', time: newest, last: newest, newest },
  ]);
  // A clock that is behind at the start: everything counts as it is.
  expect(await positions(NOON - 60 * MINUTE)).toEqual([1, 2, 3]);
  expect(await allOf(rows(NOON - 60 * MINUTE).watermarks())).toEqual([
    { tenant: 'acme', time: null, last: 0, newest: 0 },
  ]);
});
