import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { leastUlidAt } from '#domain/access/ulid-time.ts';
import type { Event } from '#domain/event/event.ts';
import type { Incoming } from '#domain/event/incoming.ts';
import { NOON, sampleDecision, sampleEnriched, sampleEvent, sampleGroup } from '#test/contract/samples.ts';
import { setClock } from '#test/setup/set-clock.ts';
import { type OwnElasticsearch, ownElasticsearch } from './own-elasticsearch.ts';

const DAY = 86_400_000;
const clock = setClock(NOON);
let own: OwnElasticsearch;
const asked: { tenant: string; record: Incoming }[] = [];
const log = {
  append: async (tenant: string, records: readonly Incoming[]) => {
    for (const record of records) asked.push({ tenant, record });
  },
};
beforeAll(async () => {
  own = await ownElasticsearch(clock);
});
afterEach(async () => {
  asked.length = 0;
  clock.set(NOON);
  await own.wipe();
});
afterAll(() => own.close());

/** An event created and last seen this number of days ago. */
const eventOf = (days: number, number: number, changes: Partial<Event> = {}): Event => {
  const at = NOON - days * DAY;
  const id = leastUlidAt(at).slice(0, -1) + number;
  return sampleEvent(number, { id, lastOccurrence: at, firstOccurrence: at, status: 'resolved', ...changes });
};
const indices = async (): Promise<string[]> => Object.keys((await own.rest('GET', `${own.prefix}-*`)) as object);

test('a week that is over goes with all that was kept of its events, and is not made again by a late change', async () => {
  const [old, young] = [eventOf(40, 1), eventOf(10, 2, { status: 'open' })];
  await own.events.save([old, young]);
  await own.correlation.save({
    enriched: [sampleEnriched(1, { eventId: old.id }), sampleEnriched(2, { eventId: young.id })],
    decisions: [sampleDecision(1, { eventId: old.id }), sampleDecision(2, { eventId: young.id })],
    groups: [sampleGroup(1, { last: NOON - 40 * DAY }), sampleGroup(2, { last: NOON - 10 * DAY })],
  });
  const before = await indices();
  const retention = own.retention(log);
  expect(await retention.purge(NOON - 30 * DAY)).toBe(1);
  expect(await own.events.getMany('acme', [old.id, young.id])).toEqual([young]);
  expect((await own.correlation.enriched('acme', [old.id, young.id])).map(({ arrival }) => arrival.eventId)).toEqual([
    young.id,
  ]);
  expect(await own.correlation.decisionsOf('acme', [old.id], 9)).toEqual([]);
  expect(await own.correlation.group('acme', sampleGroup(1).id)).toBeNull();
  expect(await own.correlation.group('acme', sampleGroup(2).id)).not.toBeNull();
  expect((await indices()).length).toBe(before.length - 3);

  const change = { event: { ...old, position: 9 }, parts: new Set(['state'] as const) };
  const none = { recoveries: [], deliveries: [], enriched: [], decisions: [], groups: [] };
  await own.pipeline.save({ ...none, events: [change] });
  expect((await indices()).length).toBe(before.length - 3);
  expect([asked, await retention.purge(NOON - 30 * DAY)]).toEqual([[], 0]);
});

test('what is open in a week that is over is asked to expire first', async () => {
  const open = eventOf(40, 1, { status: 'acknowledged', tenant: 'other' });
  await own.events.save([open, eventOf(40, 2)]);
  const retention = own.retention(log);
  expect(await retention.purge(NOON - 30 * DAY)).toBe(0);
  expect(asked).toEqual([
    { tenant: 'other', record: { ask: { kind: 'expired', eventId: open.id }, receivedAt: NOON } },
  ]);
  await own.events.save([{ ...open, status: 'resolved', position: 9 }]);
  expect(await retention.purge(NOON - 30 * DAY)).toBe(2);
});

test('an event that was seen lately keeps its old week, and a week that is not over stays', async () => {
  await own.events.save([eventOf(40, 1, { lastOccurrence: NOON - DAY }), eventOf(31, 2), eventOf(2, 3)]);
  const weekBegin = own.retention(log);
  expect(await weekBegin.purge(NOON - 38 * DAY)).toBe(0);
  expect(await own.events.getMany('acme', [eventOf(40, 1).id])).toHaveLength(1);
  expect(asked).toEqual([]);
});

test('what has served its time is forgotten, the rest stays', async () => {
  await own.records.put('acme', 'lease', 'gone', 1, { expiresAt: NOON + 1 });
  await own.records.put('acme', 'lease', 'stays', 1, { expiresAt: NOON + 3 * DAY });
  await own.records.put('acme', 'user', 'removed', 1);
  await own.records.remove('acme', 'user', 'removed');
  await own.records.put('acme', 'user', 'kept', 1);
  const recovery = { tenant: 'acme', conditionId: 'c', at: NOON, receivedAt: NOON, position: 1 };
  const delivery = { tenant: 'acme', id: 'd', receipt: { ok: false, fault: 'invalid', message: '' } as const };
  await own.pipeline.save({
    events: [],
    enriched: [],
    decisions: [],
    groups: [],
    recoveries: [recovery],
    deliveries: [{ ...delivery, position: 1, at: NOON }],
  });
  clock.set(NOON + 2 * DAY);
  await own.rest('POST', `${own.prefix}-*/_refresh`);
  await own.tidy();
  await own.rest('POST', `${own.prefix}-*/_refresh`);
  const { count } = (await own.rest('GET', `${own.prefix}-*/_count`)) as { count: number };
  expect(count).toBe(2);
  expect(await own.records.get('acme', 'lease', 'stays')).not.toBeNull();
  expect(await own.records.get('acme', 'user', 'kept')).not.toBeNull();
});
