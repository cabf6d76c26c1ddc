import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { endedAt } from '#domain/correlation/status-transitions.ts';
import type { Event } from '#domain/event/event.ts';
import type { EventPart, Recovery } from '#domain/pipeline/processor.ts';
import type { Changes, PipelineStore } from '#domain/ports/pipeline-store.ts';
import { closedGroupsContract } from '#test/contract/closed-groups.ts';
import {
  fullEvent,
  MINUTE,
  NOON,
  sampleDecision,
  sampleEnriched,
  sampleEvent,
  sampleGroup,
  ulidOf,
} from '#test/contract/samples.ts';
import { allInPieces, allOf } from '#test/setup/all-of.ts';
import { type OwnElasticsearch, ownElasticsearch } from './own-elasticsearch.ts';

let own: OwnElasticsearch;
let store: PipelineStore;
beforeAll(async () => {
  own = await ownElasticsearch();
  store = own.pipeline;
});
afterEach(() => own.wipe());
afterAll(() => own.close());

const NOTHING: Changes = { events: [], recoveries: [], deliveries: [], enriched: [], decisions: [], groups: [] };
const save = (changes: Partial<Changes>) => store.save({ ...NOTHING, ...changes });
const created = (event: Event) => ({ event, parts: new Set<EventPart>(['created']) });
const tallied = (event: Event) => ({ event, parts: new Set<EventPart>(['tally']) });
const recovery = (conditionId: string, position: number): Recovery => ({
  tenant: 'acme',
  conditionId,
  at: NOON + position,
  receivedAt: NOON + position,
  position,
});
const keys = (...numbers: number[]) => numbers.map((number) => ({ tenant: 'acme', id: ulidOf(number) }));
const factsOf = (number: number) => {
  const { arrival, upstream, settings } = sampleEnriched(number);
  return { arrival, upstream, settings, turns: [] };
};

closedGroupsContract('Elasticsearch', async () => ({
  store: {
    async save({ events, ...changes }) {
      await save({ ...changes, events: events.map(created) });
    },
    homes: async (keys) => (await store.load({ homes: keys })).homes,
    lasting: (decided) => allInPieces(store.restorable(() => true).lasting(decided)),
  },
  close: own.wipe,
}));

describe('load', () => {
  test('gives what was just saved, and nothing for what was not', async () => {
    const delivery = {
      tenant: 'acme',
      id: 'abc/1',
      position: 1,
      at: NOON,
      receipt: { ok: true, outcome: 'created', id: ulidOf(1), count: 1, correlationId: null } as const,
    };
    const theirs = { ...delivery, tenant: 'other', position: 2 };
    const rebound = sampleEnriched(1, { position: 7, rebound: true, ciId: 'ci-9' });
    await save({
      events: [created(fullEvent(1)), created(sampleEvent(2))],
      deliveries: [delivery, theirs],
      enriched: [sampleEnriched(1), rebound, sampleEnriched(2)],
    });
    const found = await store.load({
      events: keys(1, 2, 3),
      deliveries: [delivery, theirs, { tenant: 'acme', id: 'no' }],
      enriched: keys(1, 2, 3),
    });
    expect([...found.events.values()]).toEqual([fullEvent(1), sampleEvent(2)]);
    expect([...found.deliveries]).toEqual([
      ['acme\nabc/1', delivery],
      ['other\nabc/1', theirs],
    ]);
    expect([...found.enriched.values()]).toEqual([[sampleEnriched(1), rebound], [sampleEnriched(2)]]);
    expect([found.groupsOf.size, found.joined.size]).toEqual([0, 0]);
  });

  test('the first answer to a delivery counts', async () => {
    const answer = (count: number) => ({
      tenant: 'acme',
      id: 'd',
      position: count,
      at: NOON,
      receipt: { ok: true, outcome: 'created', id: ulidOf(1), count, correlationId: null } as const,
    });
    await save({ deliveries: [answer(1)] });
    expect(await save({ deliveries: [answer(2)] })).toEqual({ furtherOn: [] });
    expect((await store.load({ deliveries: [{ tenant: 'acme', id: 'd' }] })).deliveries.get('acme\nd')).toEqual(
      answer(1),
    );
  });

  test('the group of an event is what decisions say, with the members of its aliases', async () => {
    const old = sampleGroup(2, { status: 'merged', mergedInto: sampleGroup(1).id, position: 6 });
    const group = sampleGroup(1, { aliases: [old.id], position: 6, status: 'closed' });
    await save({
      enriched: [1, 2, 3, 4].map((number) => sampleEnriched(number)),
      decisions: [
        sampleDecision(2, { groupId: group.id, joined: [ulidOf(1), ulidOf(2)] }),
        sampleDecision(4, { groupId: old.id, joined: [ulidOf(3), ulidOf(4)] }),
        sampleDecision(6, { groupId: group.id, merged: [old.id] }),
        sampleDecision(7, { tenant: 'other', groupId: 'COR-7-abcdef', joined: [ulidOf(1)] }),
      ],
      groups: [old, group],
    });
    const { joined, groupsOf } = await store.load({ joined: keys(1, 3, 9), groupsOf: keys(4, 9) });
    expect(Object.fromEntries(joined)).toEqual({ [ulidOf(1)]: group.id, [ulidOf(3)]: old.id });
    expect([...groupsOf]).toEqual([
      [ulidOf(4), { group, members: [1, 2, 3, 4].map((n) => ({ ...sampleEnriched(n), turns: [] })) }],
    ]);
  });
});

describe('save', () => {
  test('a stale save changes nothing and names what is further on', async () => {
    await save({
      events: [created(sampleEvent(1, { position: 9, count: 3 }))],
      recoveries: [recovery('c/1', 9)],
      groups: [sampleGroup(1, { position: 9, size: 5 })],
    });
    const stale = await save({
      events: [tallied(sampleEvent(1, { position: 8, count: 2 })), created(sampleEvent(2))],
      recoveries: [recovery('c/1', 8), recovery('c/2', 8)],
      groups: [sampleGroup(1, { position: 8 })],
    });
    expect(stale.furtherOn).toEqual([ulidOf(1), 'c/1', sampleGroup(1).id].map((id) => ({ tenant: 'acme', id })));
    const { events } = await store.load({ events: keys(1, 2) });
    expect([...events.values()].map(({ position, count }) => [position, count])).toEqual([
      [9, 3],
      [2, 1],
    ]);
    expect(await own.correlation.group('acme', sampleGroup(1).id)).toMatchObject({ size: 5 });
  });

  test('records that a batch brings are there once, as the first wrote them', async () => {
    const record = { tenant: 'acme', kind: 'audit', id: ulidOf(5), body: { said: 'first' }, expiresAt: 9e15 };
    await save({ records: [record] });
    await save({ records: [{ ...record, body: { said: 'again' } }] });
    expect(await own.records.get('acme', 'audit', ulidOf(5))).toEqual({
      id: ulidOf(5),
      revision: 1,
      body: { said: 'first' },
    });
    expect(await own.records.list('acme', 'audit', { limit: 5 })).toHaveLength(1);
    expect(await own.records.get('other', 'audit', ulidOf(5))).toBeNull();
  });

  test('the same batch again is done again, and records and decisions stay as they were', async () => {
    const changes = {
      events: [created(sampleEvent(1))],
      enriched: [sampleEnriched(1)],
      groups: [sampleGroup(1)],
      decisions: [sampleDecision(1)],
      recoveries: [recovery('c', 1)],
    };
    await save(changes);
    const other = {
      enriched: [sampleEnriched(1, { severity: 'info' })],
      decisions: [sampleDecision(1, { manual: true })],
    };
    expect(await save({ ...changes, ...other })).toEqual({ furtherOn: [] });
    expect((await store.load({ enriched: keys(1) })).enriched.get(ulidOf(1))).toEqual([sampleEnriched(1)]);
    expect(await own.correlation.decisionsOf('acme', [ulidOf(1)], 9)).toEqual([sampleDecision(1)]);
  });

  test('details of any field names are kept', async () => {
    const event = sampleEvent(1, { details: { '': 1, 'a..b': { '.': [2] }, ' ': null, a: { b: 'x' }, 'a.b': 3 } });
    const theirs = sampleEvent(2, { details: { a: 'no object here' } });
    await save({ events: [created(event), created(theirs)] });
    expect([...(await store.load({ events: keys(1, 2) })).events.values()]).toEqual([event, theirs]);
  });

  test('more than one request holds', async () => {
    const events = Array.from({ length: 2_500 }, (_, i) => created(sampleEvent(i + 1)));
    expect(await save({ events })).toEqual({ furtherOn: [] });
    const { events: found } = await store.load({ events: events.map(({ event }) => event) });
    expect(found.size).toBe(2_500);
  });

  test('a change of an event whose week was dropped does not bring the index back', async () => {
    await save({ events: [created(sampleEvent(1))] });
    await own.wipe();
    expect(await save({ events: [tallied(sampleEvent(1, { position: 5 }))] })).toEqual({ furtherOn: keys(1) });
    expect(await own.rest('GET', `${own.prefix}-*`)).toEqual({});
    await save({ events: [created(sampleEvent(1, { position: 6 }))] });
    expect((await store.load({ events: keys(1) })).events.size).toBe(1);
  });
});

describe('restorable', () => {
  const everyone = () => true;
  test('an empty store gives nothing', async () => {
    const rows = store.restorable(everyone);
    const lists = [rows.openEvents(), rows.seen(0), rows.recoveries(0), rows.arrivals(0), rows.openGroups()];
    for (const kind of [...lists, rows.decisions(0), rows.watermarks()] as AsyncIterable<unknown>[])
      expect((await allOf(kind)).flat()).toEqual([]);
  });

  test('events that another process has just saved, open ones of our tenants, by position', async () => {
    const { pipeline } = await own.another();
    const events = [
      sampleEvent(1, { position: 30, details: { sourceIds: ['s-1', 's-2'], big: 'x' } }),
      sampleEvent(2, { position: 31, status: 'resolved' }),
      sampleEvent(3, { position: 12, status: 'suppressed', tenant: 'ours' }),
      sampleEvent(4, { position: 13, tenant: 'theirs' }),
    ];
    await pipeline.save({ ...NOTHING, events: events.map(created) });
    const open = await allInPieces(store.restorable((tenant) => tenant !== 'theirs').openEvents());
    expect(open.map(({ id }) => id)).toEqual([ulidOf(3), ulidOf(1)]);
    const { identity, sourceId, source, tenant, conditions, createdPosition, position } = events[0]!;
    expect(open[1]).toEqual({
      id: ulidOf(1),
      identity,
      sourceId,
      source,
      tenant,
      conditions,
      createdPosition,
      position,
      details: { sourceIds: ['s-1', 's-2'] },
    });
  });

  test('more rows than a page', async () => {
    await save({ events: Array.from({ length: 1_001 }, (_, i) => created(sampleEvent(i + 1))) });
    const open = await allInPieces(store.restorable(everyone).openEvents());
    expect(open.map(({ createdPosition }) => createdPosition)).toEqual(Array.from({ length: 1_001 }, (_, i) => i + 1));
  });

  test('identities seen lately, counted per tenant from its newest', async () => {
    const event = (number: number, tenant: string) => {
      const seen = { bin: number, bits: 5 };
      return created(sampleEvent(number, { seen, status: 'resolved', tenant }));
    };
    await save({ events: [event(1, 'acme'), event(2, 'acme'), event(3, 'acme'), event(9_000, 'other')] });
    expect(await allInPieces(store.restorable(everyone).seen(MINUTE))).toEqual([
      { tenant: 'acme', identity: 'identity-2', seen: { bin: 2, bits: 5 } },
      { tenant: 'acme', identity: 'identity-3', seen: { bin: 3, bits: 5 } },
      { tenant: 'other', identity: 'identity-9000', seen: { bin: 9_000, bits: 5 } },
    ]);
  });

  test('recoveries since a time', async () => {
    await save({ recoveries: [recovery('a', 5), recovery('b', 3), recovery('c', 1)] });
    expect(await allOf(store.restorable(everyone).recoveries(NOON + 3))).toEqual([recovery('b', 3), recovery('a', 5)]);
  });

  test('arrivals of the last while per tenant, late ones marked, and up to a position', async () => {
    const records = [
      sampleEnriched(9, { time: NOON + 3 * MINUTE }),
      { ...sampleEnriched(7, { time: NOON - 500 * MINUTE, tenant: 'other' }), late: true },
      sampleEnriched(8, { time: NOON }),
    ];
    await save({ enriched: records, events: [created(sampleEvent(9)), created(sampleEvent(2, { tenant: 'silent' }))] });
    expect(await allInPieces(store.restorable(everyone).arrivals(3 * MINUTE - 1))).toEqual([
      { arrival: records[1]!.arrival, late: true, turns: [] },
      { arrival: records[0]!.arrival, late: false, turns: [] },
    ]);
    const earlier = store.restorable(everyone, { through: 8 });
    expect((await allInPieces(earlier.arrivals(MINUTE))).map(({ arrival }) => arrival.position)).toEqual([7, 8]);
    expect(await allOf(earlier.watermarks())).toEqual([
      { tenant: 'silent', time: null, last: NOON + 2 * MINUTE, newest: NOON + 2 * MINUTE },
      { tenant: 'acme', time: NOON, last: NOON, newest: NOON },
      { tenant: 'other', time: NOON - 500 * MINUTE, last: NOON - 500 * MINUTE, newest: NOON - 500 * MINUTE },
    ]);
    expect(await allOf(store.restorable((tenant) => tenant === 'acme').watermarks())).toEqual([
      { tenant: 'acme', time: NOON + 3 * MINUTE, last: NOON + 9 * MINUTE, newest: NOON + 9 * MINUTE },
    ]);
  });

  test('an event that came again and ended, as it stood at a position', async () => {
    const again = [5, 7, 9].map((position) => sampleEnriched(1, { position, rebound: true, above3: position }));
    const entry = (from: 'open' | 'resolved', to: 'open' | 'resolved', position: number) => ({
      at: NOON + position,
      by: null,
      from,
      to,
      position,
    });
    const event = sampleEvent(1);
    const history = [...event.history, entry('open', 'resolved', 6), entry('resolved', 'open', 8)];
    const group = sampleGroup(1, { status: 'closed', position: 4 });
    await save({
      events: [created({ ...event, history })],
      enriched: [sampleEnriched(1), ...again],
      groups: [group],
      decisions: [sampleDecision(2, { groupId: group.id, joined: [ulidOf(1)] })],
    });
    const seen = async (through: number) => {
      const found = await allInPieces(store.restorable(everyone, { through }).arrivals(MINUTE));
      const last = found.at(-1)!;
      return [found.map(({ arrival }) => arrival.position), endedAt(last.turns)];
    };
    expect(await seen(6)).toEqual([[1, 5], NOON + 6]);
    expect(await seen(8)).toEqual([[1, 5, 7], null]);
    expect(await seen(9)).toEqual([[1, 5, 7, 9], null]);
    const [key] = keys(1) as [{ tenant: string; id: string }];
    const known = async (through: number) => {
      const found = await store.load({ enriched: [{ ...key, through }], joined: [key], turns: [key] });
      expect(found.turns.get(key.id)?.map(({ kind }) => kind)).toEqual(['ended', 'returned']);
      return found.enriched.get(key.id)?.findLast(({ arrival }) => arrival.position <= through)?.arrival.position;
    };
    expect([await known(4), await known(6), await known(8), await known(10)]).toEqual([1, 5, 7, 9]);
  });

  test('an event that returned is in no group that had closed by then', async () => {
    const back = sampleEnriched(1, { position: 9, rebound: true, again: 'returned' });
    const [key] = keys(1) as [{ tenant: string; id: string }];
    const joined = async (through: number) =>
      (await store.load({ enriched: [{ ...key, through }], joined: [key] })).joined.get(key.id);
    await save({
      enriched: [sampleEnriched(1), back],
      groups: [sampleGroup(1, { status: 'closed', position: 9 })],
      decisions: [sampleDecision(2, { groupId: sampleGroup(1).id, joined: [ulidOf(1)] })],
    });
    expect([await joined(8), await joined(9)]).toEqual([sampleGroup(1).id, undefined]);
    await save({ enriched: [sampleEnriched(1, { position: 11, rebound: true, ciId: 'ci-9' })] });
    expect([await joined(8), await joined(10), await joined(11)]).toEqual([sampleGroup(1).id, undefined, undefined]);
    await save({ groups: [sampleGroup(1, { status: 'closed', position: 10 })] });
    expect(await joined(9)).toBe(sampleGroup(1).id);
  });

  test('decisions of open groups and their aliases with facts, and recent ones', async () => {
    const group = sampleGroup(1, { aliases: ['COR-alias'], position: 9 });
    await save({
      enriched: [1, 2, 3, 4, 5].map((number) => sampleEnriched(number)),
      groups: [group, sampleGroup(2, { status: 'closed' })],
      decisions: [
        sampleDecision(2, { groupId: group.id, joined: [ulidOf(1), ulidOf(2)] }),
        sampleDecision(1, { groupId: 'COR-alias' }),
        sampleDecision(3, { groupId: sampleGroup(2).id }),
        sampleDecision(5),
        sampleDecision(6, { eventId: ulidOf(4), groupId: group.id, manual: true }),
      ],
    });
    const rows = store.restorable(everyone);
    const found = await allOf(rows.decisions(NOON + 5 * MINUTE));
    expect(found.map(({ decision }) => decision.position)).toEqual([1, 2, 5, 6]);
    expect(found.map(({ facts }) => facts)).toEqual([1, 2, 5, 4].map(factsOf));
    expect(found[1]!.partners).toEqual([factsOf(1)]);
    expect((await allOf(rows.openGroups())).map(({ id }) => id)).toEqual([group.id]);
  });

  test('what was said of splits, whatever has become of the groups; one that was taken out is in no group', async () => {
    const [left, stayed] = [ulidOf(1), ulidOf(2)];
    const apart = { id: 's', from: 'COR-9', left: [left], stayed: [stayed] };
    await save({
      enriched: [1, 2, 3, 4].map((number) => sampleEnriched(number)),
      decisions: [
        sampleDecision(2, { groupId: 'COR-9', joined: [left, stayed] }),
        sampleDecision(3, { eventId: left, apart, manual: true }),
        sampleDecision(4, { heirOf: left }),
        sampleDecision(5, { eventId: ulidOf(3) }),
      ],
    });
    const found = await allOf(store.restorable(everyone).decisions(NOON + 100 * MINUTE));
    expect(found.map(({ decision }) => decision)).toMatchObject([{ apart }, { heirOf: left }]);
    const keys = [left, stayed].map((id) => ({ tenant: 'acme', id, through: 9 }));
    const { joined } = await store.load({ enriched: keys, joined: keys });
    expect([...joined]).toEqual([[stayed, 'COR-9']]);
  });
});

describe('members of closed groups, whatever waits in the log', () => {
  const group = sampleGroup(1, { status: 'closed', position: 20 });
  const lasting = async (decided: number, mine = (_tenant: string): boolean => true) =>
    allInPieces(store.restorable(mine).lasting(decided));

  test('one that merge has put there counts before it says so itself, and one that left does not', async () => {
    const apart = { id: 's', from: group.id, left: [ulidOf(2)], stayed: [ulidOf(1)] };
    await save({
      groups: [group],
      events: [created(sampleEvent(1)), created(sampleEvent(2, { correlationId: group.id }))],
      decisions: [
        sampleDecision(3, { groupId: group.id, joined: [ulidOf(1), ulidOf(2)] }),
        sampleDecision(4, { eventId: ulidOf(2), apart, manual: true }),
      ],
    });
    const found = await lasting(9);
    expect(found).toEqual([{ tenant: 'acme', eventId: ulidOf(1), groupId: group.id }]);
    expect(await lasting(9, (tenant) => tenant !== 'acme')).toEqual([]);
    expect(Object.fromEntries((await store.load({ homes: keys(1, 2) })).homes)).toEqual({ [ulidOf(1)]: group.id });
  });

  test('one that ended after the position was on at it, and its turns say until when', async () => {
    const history = [
      { at: NOON, by: null, from: null, to: 'open', position: 1 },
      { at: NOON + 50, by: null, from: 'open', to: 'resolved', position: 50 },
    ] as const;
    const event = sampleEvent(1, { correlationId: group.id, status: 'resolved', position: 50, history });
    await save({ groups: [group], events: [created(event)] });
    expect(await lasting(50)).toEqual([]);
    expect(await lasting(49)).toMatchObject([
      { eventId: ulidOf(1), groupId: group.id, turns: [{ kind: 'ended', position: 50 }] },
    ]);
  });
});

describe('journal', () => {
  test('a page is read as it was written; the same number or an older one is refused', async () => {
    const body = JSON.stringify({ text: 'ä"\\\n' });
    expect(await store.readJournal('merge/3')).toBeNull();
    expect(await store.writeJournal('merge/3', { number: 2, body })).toBe(true);
    for (const number of [2, 1]) expect(await store.writeJournal('merge/3', { number, body: 'late' })).toBe(false);
    expect(await store.readJournal('merge/3')).toEqual({ number: 2, body });
    expect(await store.writeJournal('merge/3', { number: 3, body: 'next' })).toBe(true);
    expect(await store.readJournal('merge/3')).toEqual({ number: 3, body: 'next' });
    expect(await store.readJournal('merge/4')).toBeNull();
  });
});
