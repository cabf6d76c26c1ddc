import { expect, test } from '@jest/globals';
import type { Event } from '#domain/event/event.ts';
import type { EventKey } from '#domain/pipeline/processor.ts';
import type { Changes } from '#domain/ports/pipeline-store.ts';
import { sampleEvent } from '#test/contract/samples.ts';
import { MemoryPipelineStore } from '#test/setup/memory-pipeline-store.ts';
import { type OwnerEvents, openEventCache } from './event-cache.ts';

/** A store that records requests for events. */
const openStore = () => {
  const store = new MemoryPipelineStore();
  const asked: string[] = [];
  const load = async (reads: Parameters<typeof store.load>[0]) => {
    asked.push(...(reads.events ?? []).map(({ id }) => id));
    return store.load(reads);
  };
  return { asked, load, save: (changes: Changes) => store.save(changes) };
};
type Store = ReturnType<typeof openStore>;

const changesOf = (events: readonly Event[]): Changes => ({
  recoveries: [],
  deliveries: [],
  enriched: [],
  decisions: [],
  groups: [],
  events: events.map((event) => ({ event, parts: new Set(['tally' as const]) })),
});

const save = async (store: Store, own: OwnerEvents, ...events: readonly Event[]): Promise<void> => {
  const changes = changesOf(events);
  const { furtherOn } = await store.save(changes);
  own.saved(changes.events, furtherOn);
};

const counts = async (
  store: Store,
  own: OwnerEvents,
  ...keys: readonly EventKey[]
): Promise<(number | undefined)[]> => {
  const { events } = await own.load(store, { events: keys });
  return keys.map(({ id }) => events.get(id)?.count);
};

const event = (n: number, count: number, more: Partial<Event> = {}): Event =>
  sampleEvent(n, { count, position: count, status: 'open', ...more });

test('what an owner has saved it does not read again, and what it has not it does', async () => {
  const store = openStore();
  const own = openEventCache().forOwner();
  await store.save(changesOf([event(2, 7)]));
  await save(store, own, event(1, 3));
  expect(await counts(store, own, event(1, 0), event(2, 0), event(3, 0))).toEqual([3, 7, undefined]);
  expect(store.asked).toEqual([event(2, 0).id, event(3, 0).id]);
});

test('an event that somebody else has changed is read again', async () => {
  const store = openStore();
  const own = openEventCache().forOwner();
  await save(store, own, event(1, 3));
  await store.save(changesOf([event(1, 9)]));
  await save(store, own, event(1, 4));
  expect(await counts(store, own, event(1, 0))).toEqual([9]);
});

test('a new owner knows nothing of what the former one saved', async () => {
  const store = openStore();
  const saved = openEventCache();
  await save(store, saved.forOwner(), event(1, 3));
  await store.save(changesOf([event(1, 9)]));
  expect(await counts(store, saved.forOwner(), event(1, 0))).toEqual([9]);
});

test('an event of the same id in another tenant is another one', async () => {
  const store = openStore();
  const own = openEventCache().forOwner();
  await save(store, own, event(1, 3));
  expect(await counts(store, own, { tenant: 'other', id: event(1, 0).id })).toEqual([undefined]);
});

test('resolved events are not kept, since they go with their week', async () => {
  const store = openStore();
  const own = openEventCache().forOwner();
  await save(store, own, event(1, 3));
  await save(store, own, event(1, 4, { status: 'resolved' }));
  expect(await counts(store, own, event(1, 0))).toEqual([4]);
  expect(store.asked).toEqual([event(1, 0).id]);
});

test('beyond the budget of all owners the longest unused is read again', async () => {
  const store = openStore();
  const saved = openEventCache(4_000);
  const [first, second] = [saved.forOwner(), saved.forOwner()];
  const large = { description: 'x'.repeat(1_000) };
  await save(store, first, event(1, 1, large));
  await save(store, second, event(2, 2, large));
  await counts(store, first, event(1, 0));
  await save(store, second, event(3, 3, large));
  expect(await counts(store, second, event(2, 0), event(3, 0))).toEqual([2, 3]);
  expect(await counts(store, first, event(1, 0))).toEqual([1]);
  expect(store.asked).toEqual([event(2, 0).id]);
});

test('a single event beyond the budget is not kept at all', async () => {
  const store = openStore();
  const own = openEventCache(500).forOwner();
  await save(store, own, event(1, 1));
  await counts(store, own, event(1, 0));
  expect(store.asked).toEqual([event(1, 0).id]);
});

test('of a tenant that is forgotten nothing is known any more, of another all', async () => {
  const store = openStore();
  const own = openEventCache().forOwner();
  const other = event(2, 4, { tenant: 'acme-2' });
  await save(store, own, event(1, 3), other);
  own.forgetTenant(event(1, 0).tenant);
  await own.load(store, { events: [event(1, 0), other] });
  expect(store.asked).toEqual([event(1, 0).id]);
});
