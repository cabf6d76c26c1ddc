import { expect, test } from '@jest/globals';
import { sampleDecision, sampleEnriched, sampleEvent } from '#test/contract/samples.ts';
import { Batch, type Sources } from './batch.ts';

const TENANT = sampleEvent(1).tenant;

/** A batch over sources that log their queries; `null` marks fields that a test does not check. */
const open = (sources: Partial<Sources> = {}, read = [sampleEvent(1)]) => {
  const nothing: Sources = {
    delivery: () => undefined,
    around: () => undefined,
    enriched: () => undefined,
    turns: () => [],
    joined: () => null,
    home: () => null,
    groupOf: () => undefined,
    settings(): never {
      throw new Error('not asked for');
    },
  };
  return new Batch<string, never>({
    sources: { ...nothing, ...sources },
    read: new Map(read.map((event) => [event.id, event])),
    pack: ({ eventId }) => `packed ${eventId}`,
  });
};

test('an event is read as the batch leaves it, by its own tenant alone, with all parts that were changed', () => {
  const batch = open();
  const [event, later] = [sampleEvent(1), sampleEvent(1, { count: 9 })];
  expect(batch.event(TENANT, event.id)).toEqual(event);
  batch.saveEvent(sampleEvent(1, { count: 8 }), 'tally');
  batch.saveEvent(later, 'state');
  expect([batch.event(TENANT, event.id), batch.event('other', event.id)]).toEqual([later, undefined]);
  expect([...batch.changed.values()]).toEqual([{ event: later, parts: new Set(['tally', 'state']) }]);
});

test('a record of an event is the newest up to the position: of the batch, else of what is stored', () => {
  const at = (position: number) => {
    const one = sampleEnriched(1);
    return { ...one, arrival: { ...one.arrival, position } };
  };
  const id = at(1).arrival.eventId;
  const asked: number[] = [];
  const batch = open({
    enriched(_tenant, _id, through) {
      asked.push(through);
      return at(1);
    },
  });
  expect([batch.enriched(TENANT, id), asked]).toEqual([at(1), [Number.POSITIVE_INFINITY]]);
  for (const position of [5, 9]) batch.saveEnriched(at(position));
  const found = [undefined, 9, 8, 5, 4].map((through) => batch.enriched(TENANT, id, through)?.arrival.position);
  expect([found, asked.slice(1)]).toEqual([[9, 9, 5, 5, 1], [4]]);
  batch.enriched('other', id, 9);
  expect(asked.at(-1)).toBe(9);
  expect(batch.enrichedRecords).toHaveLength(2);
});

test('a delivery is known to the tenant that it was answered in', () => {
  const delivery = {
    tenant: TENANT,
    id: 'd',
    position: 1,
    at: 0,
    receipt: { ok: true, outcome: 'created', id: 'e', count: 1, correlationId: null },
  } as const;
  const batch = open();
  batch.saveDelivery(delivery);
  expect([batch.delivery(TENANT, 'd'), batch.delivery('other', 'd')]).toEqual([delivery, undefined]);
});

test('groups of events are read with the events as the batch leaves them', () => {
  const batch = open({
    joined: (tenant, id, returned, now) => `${now.event(tenant, id)?.correlationId} at ${returned}`,
    turns: (tenant, id, now) => [{ position: now.event(tenant, id)?.count } as never],
  });
  const event = sampleEvent(1, { correlationId: 'COR-new', count: 3 });
  batch.saveEvent(event, 'assigned');
  expect([batch.joined(TENANT, event.id, 7), batch.turns(TENANT, event.id)]).toEqual([
    'COR-new at 7',
    [{ position: 3 }],
  ]);
});

test('a decision waits in its packed form; entries wait by topic, in order', () => {
  const batch = open();
  const decision = sampleDecision(1);
  batch.saveDecision(decision);
  for (const [topic, position] of [
    ['a', 1],
    ['b', 2],
    ['a', 3],
  ] as const)
    batch.emit(topic, { tenant: TENANT, position, value: null });
  expect(batch.decisions).toEqual([`packed ${decision.eventId}`]);
  expect([...batch.topics].map(([topic, list]) => [topic, list.map(({ position }) => position)])).toEqual([
    ['a', [1, 3]],
    ['b', [2]],
  ]);
  expect(batch.emitted).toBe(3);
});
