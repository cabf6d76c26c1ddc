import { expect, test } from '@jest/globals';
import { leastUlidAt } from '#domain/access/ulid-time.ts';
import type { Event } from '#domain/event/event.ts';
import type { Entry, Fold } from '#domain/pipeline/processor.ts';
import type { Metrics } from '#domain/ports/metrics.ts';
import { sampleEvent } from '#test/contract/samples.ts';
import { MemoryPipelineStore } from '#test/setup/memory-pipeline-store.ts';
import { setClock } from '#test/setup/set-clock.ts';
import { openEventCache } from './event-cache.ts';
import { FoldOwner, journalOf } from './fold-owner.ts';
import { FIRST_PAGE, fromJournal, toJournal, turnedBack } from './journal.ts';
import type { Input } from './owner.ts';

const NOON = Date.UTC(2026, 10, 20, 12);

const fold = (stepped: number[], settled: number): Fold<null, string> => ({
  kind: 'fold',
  name: 'merge',
  input: 'correlation.hits',
  open: () => null,
  restore: async () => {},
  reads: () => ({}),
  settled: () => settled,
  step(_, { tenant, position }, _found, effects) {
    stepped.push(position);
    // A batch that does nothing needs no page.
    effects.emit('correlation.changes', { tenant, position, value: null });
  },
});

const owner = (
  store: MemoryPipelineStore,
  stepped: number[],
  settled: number,
  processor = fold(stepped, settled),
  observe: Metrics['observe'] = () => {},
  sent: number[] = [],
): FoldOwner =>
  new FoldOwner({
    fold: processor,
    partition: 0,
    epoch: 1,
    store,
    clock: setClock(NOON),
    mine: () => true,
    sources: { graph: { around: async () => null }, records: { get: async () => null } },
    saved: openEventCache(),
    emitter: {
      refuses: () => null,
      send: async (_, outputs) => void sent.push(...outputs.map(({ entry }) => entry.position)),
      answer: async () => {},
      reject: async () => {},
    },
    metrics: { count: () => {}, gauge: () => {}, observe },
  });

/** Record of this offset that the incoming record at `position` caused, the `serial`th of its writer. */
const record = (offset: number, position: number, serial: number): Input => ({
  offset,
  at: 0,
  writer: '@enrich',
  serial,
  reply: null,
  raw: Buffer.alloc(0),
  fault: null,
  entry: { tenant: 't', position, value: 'facts' },
});

test('what is decided is not decided anew when its writer sent it again behind a record that is not', async () => {
  const store = new MemoryPipelineStore();
  const log = [record(0, 1, 1), record(1, 2, 2), record(2, 1, 1)];
  const before: number[] = [];
  const first = owner(store, before, 1);
  expect(await first.open()).toBe(0);
  await first.take(log);
  expect(before).toEqual([1, 2]);

  const after: number[] = [];
  const second = owner(store, after, 1);
  expect(await second.open()).toBe(1);
  await second.take(log.slice(1));
  expect(after).toEqual([2]);
});

test('it stays settled when an owner after that knows less', async () => {
  const store = new MemoryPipelineStore();
  const log = [record(0, 1, 1), record(1, 2, 2), record(2, 1, 1), record(3, 3, 3)];
  const first = owner(store, [], 1);
  await first.open();
  await first.take(log.slice(0, 3));
  const second = owner(store, [], 0);
  await second.open();
  await second.take(log.slice(1));

  const after: number[] = [];
  const third = owner(store, after, 0);
  expect(await third.open()).toBe(1);
  await third.take(log.slice(1));
  expect(after).toEqual([2, 3]);
});

test('the fold that is restored is told what is settled, and that nothing is before the first page', async () => {
  const store = new MemoryPipelineStore();
  const told: (number | undefined)[] = [];
  const restore: Fold<null, string>['restore'] = async (_state, _from, _now, settled) => void told.push(settled);
  const first = owner(store, [], 1, { ...fold([], 1), restore });
  await first.open();
  await first.take([record(0, 1, 1), record(1, 2, 2)]);
  await owner(store, [], 1, { ...fold([], 1), restore }).open();
  expect(told).toEqual([0, 1]);
});

test('an owner that ends while it reads again leaves the rest of that to the next one', async () => {
  const store = new MemoryPipelineStore();
  const log = [record(0, 1, 1), record(1, 2, 2), record(2, 3, 3), record(3, 4, 4)];
  const first = owner(store, [], 1);
  await first.open();
  await first.take(log);
  const second = owner(store, [], Number.POSITIVE_INFINITY);
  expect(await second.open()).toBe(1);
  await second.take(log.slice(1, 2));

  const after: number[] = [];
  const third = owner(store, after, 4);
  expect(await third.open()).toBe(2);
  await third.take(log.slice(2));
  expect(after).toEqual([3, 4]);
});

test('an event that somebody else has changed is stepped as it is stored from then on', async () => {
  const store = new MemoryPipelineStore();
  const seen: (number | undefined)[] = [];
  const key = sampleEvent(1);
  const save = (event: Event) => store.save({ ...FIRST_PAGE.changes, events: [{ event, parts: new Set(['tally']) }] });
  const counting: Fold<null, string> = {
    ...fold([], 0),
    reads: () => ({ events: [key] }),
    step(_, { position }: Entry<string>, found, effects) {
      const event = found.event(key.tenant, key.id)!;
      seen.push(event.count);
      effects.saveEvent({ ...event, count: event.count + 1, position }, 'tally');
    },
  };
  await save({ ...key, position: 0 });
  const own = owner(store, [], 0, counting);
  await own.open();
  await own.take([record(0, 1, 1)]);
  await save({ ...key, count: 100, position: 50 });
  for (const n of [1, 2]) await own.take([record(n, n + 1, n + 1)]);
  expect(seen).toEqual([1, 2, 100]);
});

test('of a tenant that is forgotten it reads from the store again what it saved itself', async () => {
  const store = new MemoryPipelineStore();
  const asked: string[] = [];
  const load = store.load.bind(store);
  store.load = (reads) => {
    asked.push(...(reads.events ?? []).map(({ id }) => id));
    return load(reads);
  };
  const event = sampleEvent(1, { tenant: 't' });
  const processor: Fold<null, string> = {
    ...fold([], 9),
    reads: () => ({ events: [event] }),
    step: (_, { value }, _found, effects) =>
      value === 'last' ? effects.forget('t') : effects.saveEvent(event, 'created'),
  };
  const own = owner(store, [], 9, processor);
  await own.open();
  const said = (n: number, value: string): Input => ({
    ...record(n, n, n + 1),
    entry: { tenant: 't', position: n, value },
  });
  const readsOf = async (n: number, value: string): Promise<number> => {
    asked.length = 0;
    await own.take([said(n, value)]);
    return asked.length;
  };
  expect([await readsOf(0, 'a'), await readsOf(1, 'b'), await readsOf(2, 'last'), await readsOf(3, 'c')]).toEqual([
    1, 0, 0, 1,
  ]);
});

test('each new event is measured once, from its receipt to its decision, whether it joins or not', async () => {
  const measured: number[] = [];
  const observe: Metrics['observe'] = (name, _labels, seconds) => {
    if (name === 'faultline_accepted_to_correlated_seconds') measured.push(seconds);
  };
  let settled = 0;
  const own = owner(new MemoryPipelineStore(), [], 0, { ...fold([], 0), settled: () => settled }, observe);
  await own.open();
  const facts = (n: number, more: object = {}): Input => {
    const arrival = { eventId: leastUlidAt(NOON - n * 1_000), rebound: false };
    return { ...record(n, n, n), entry: { tenant: 't', position: n, value: { kind: 'facts', arrival, ...more } } };
  };
  await own.take([facts(1), facts(2), facts(3, { links: [] })]);
  expect(measured).toEqual([]);
  settled = 1;
  await own.take([record(4, 1, 4)]);
  expect(measured).toEqual([1]);
  settled = Number.POSITIVE_INFINITY;
  await own.take([record(5, 5, 5)]);
  expect(measured).toEqual([1, 2]);
});

test('what a person did is measured once, and not again by an owner that reads the record anew', async () => {
  const measured: [string, number][] = [];
  const observe: Metrics['observe'] = (name, _labels, seconds) => {
    if (/_(acknowledge|resolve)_seconds$/.test(name)) measured.push([name, seconds]);
  };
  const by = { id: 'u1', username: 'kim', name: 'Kim' };
  const entry = { at: NOON, by, from: 'open', to: 'acknowledged', position: 2 } as const;
  const event = sampleEvent(1, { status: 'acknowledged', firstOccurrence: NOON - 90_000, history: [entry] });
  const processor: Fold<null, string> = {
    ...fold([], 9),
    step: (_, { tenant, position }, _found, effects) => {
      const value = { happened: 'changed', event, previousStatus: 'open', receivedAt: NOON };
      effects.emit('events.saved', { tenant, position, value });
    },
  };
  const store = new MemoryPipelineStore();
  for (let turn = 0; turn < 2; turn++) {
    const own = owner(store, [], 9, processor, observe);
    await own.open();
    await own.take([record(0, 2, 1)]);
  }
  expect(measured).toEqual([['faultline_acknowledge_seconds', 90]]);
});

test('sinks are not told again what they were told before the topic was read anew, and are told what comes after it', async () => {
  const store = new MemoryPipelineStore();
  const log = [record(0, 1, 1), record(1, 2, 2), record(2, 3, 3)];
  const sent: number[][] = [];
  const listening = () => {
    const numbers: number[] = [];
    sent.push(numbers);
    return numbers;
  };
  const fresh = async (inputs: readonly Input[]) => {
    const one = owner(store, [], Number.POSITIVE_INFINITY, undefined, undefined, listening());
    await one.open();
    for (const input of inputs) await one.take([input]);
  };
  await fresh(log.slice(0, 2));
  const name = journalOf(1, { name: 'merge' }, 0);
  const last = fromJournal((await store.readJournal(name))!);
  // The last page may not have been sent when its process was killed.
  await store.writeJournal(name, toJournal(turnedBack(last)));
  await fresh(log);
  expect(sent).toEqual([
    [1, 2],
    [2, 3],
  ]);
  await store.writeJournal(
    name,
    toJournal(turnedBack({ ...fromJournal((await store.readJournal(name))!), outputs: [] })),
  );
  await store.writeJournal(name, toJournal(turnedBack(fromJournal((await store.readJournal(name))!))));
  await fresh([...log, record(3, 4, 4)]);
  expect(sent.at(-1)).toEqual([4]);
});
