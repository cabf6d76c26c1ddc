import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Ask, Incoming, Occurrence } from '#domain/event/incoming.ts';
import { sourceIdsOf } from '#domain/event/lifecycle/accumulated.ts';
import type { Entry, Restorable } from '#domain/pipeline/processor.ts';
import { ann, MINUTE, occurrence, T0, ulid } from '#test/setup/asks.ts';
import { driveFold } from '#test/setup/drive-fold.ts';
import { dedup } from './dedup.ts';
import { alikeOf, keyOf, keysOf } from './dedup-rows.ts';

const severities = ['critical', 'warning'] as const;
const small = fc.nat({ max: 3 });
/** Now and then one that cannot be believed. */
const time = fc.oneof(
  { weight: 12, arbitrary: fc.integer({ min: 0, max: 600 }).map((minutes) => T0 + minutes * MINUTE) },
  { weight: 1, arbitrary: fc.constantFrom(1_000, T0 - 9 * 1_440 * MINUTE, T0 - 2 * 1_440 * MINUTE) },
);
const sometimes = fc.option(fc.constant(true as const), { nil: undefined, freq: 3 });
/** Omits undefined fields. */
const said = <T extends object>(fields: T): T =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;
const condition = fc.option(
  small.map((n) => `c${n}`),
  { nil: null },
);
const sourced = { source: fc.constantFrom('zabbix', 'nagios'), sourceId: fc.nat({ max: 25 }).map((n) => `z-${n}`) };
/** Each monitor has its own names for conditions. */
const declaredBy = ({ source, conditionId }: { readonly source: string; readonly conditionId: string | null }) => ({
  conditionId: conditionId && `${source}:${conditionId}`,
});
const known = fc.nat({ max: 60 }).map((n) => ulid(n + 1));

const occurred = fc
  .record({
    ...sourced,
    identity: small.map((n) => `i${n}`),
    severity: fc.constantFrom(...severities),
    conditionId: condition,
    timestamp: time,
    dedupWindowMs: fc.constantFrom(60 * MINUTE, 10_000 * MINUTE),
    tags: fc.array(small.map(String)),
    title: fc.constantFrom('Disk full', 'CPU 91 %', 'CPU 95 %', 'Port 80 closed'),
    isPlain: fc.boolean(),
    untimed: sometimes,
    moment: sometimes,
    update: sometimes,
    ongoing: sometimes,
    maxBehindMs: fc.constantFrom(undefined, 1_440 * MINUTE),
    escalation: fc.constantFrom(undefined, undefined, 'same_event' as const),
    ci: fc.constantFrom(null, null, { id: 'ci-1', name: 'db-01', type: 'server' }),
    service: fc.constantFrom(undefined, 'shop'),
  })
  .map(({ isPlain, ...changes }): Ask => {
    const plain = isPlain ? ({ plain: true, conditionId: null } as const) : null;
    const whole = said({ ...changes, ...declaredBy(changes), ...plain, signature: changes.severity });
    return { kind: 'occurred', occurrence: occurrence(whole as Partial<Occurrence>) };
  });
const reference = { ...sourced, conditionId: condition, at: time };
const monitored = fc
  .record({
    kind: fc.constantFrom('recovered', 'acknowledged', 'unacknowledged', 'suppressed', 'unsuppressed'),
    ...reference,
  })
  .map((asked) => ({ ...asked, ...declaredBy(asked) }));
/** A change of status with the problem itself. */
const told = fc.tuple(monitored, occurred).map(([mark, said]): Ask => {
  if (mark.kind === 'recovered' || said.kind !== 'occurred') return mark;
  const { source, sourceId, conditionId } = mark;
  const { plain: _plain, ...occurrence } = said.occurrence;
  return { ...mark, kind: mark.kind, occurrence: { ...occurrence, source, sourceId, conditionId } };
});
const statusSet = fc.record({
  kind: fc.constant('status-set' as const),
  eventId: known,
  status: fc.constantFrom('acknowledged' as const, 'suppressed' as const, 'resolved' as const, 'open' as const),
  by: fc.constant(ann),
  assignedTo: fc.constantFrom({ user: ann }, { user: null }),
});
const other = fc.oneof(
  fc.record({ kind: fc.constant('expired' as const), eventId: known }),
  fc.record({
    kind: fc.constant('expired' as const),
    eventId: known,
    silence: fc.record({
      heard: fc.nat({ max: 900 }).map((minutes) => T0 + minutes * MINUTE),
      category: fc.constant('auto-resolved' as const),
      notes: fc.constant('no updates for 24h'),
    }),
  }),
  fc.record({ kind: fc.constant('assigned' as const), eventId: known, correlationId: small.map((n) => `COR-${n}`) }),
);
const ask: fc.Arbitrary<Ask> = fc.oneof(
  { weight: 6, arbitrary: occurred },
  { weight: 3, arbitrary: monitored },
  { weight: 1, arbitrary: told },
  { weight: 2, arbitrary: statusSet },
  { weight: 1, arbitrary: other },
);

/** Records with positions from 1; a tenth are redeliveries; receipt times grow with the position. */
const log = fc.array(fc.record({ ask, delivery: fc.option(fc.nat({ max: 40 }), { nil: undefined, freq: 5 }) }), {
  minLength: 1,
  maxLength: 60,
  size: 'max',
});
const entriesOf = (records: readonly { ask: Ask; delivery: number | undefined }[]): Entry<Incoming>[] =>
  records.map(({ ask: asked, delivery }, i) => ({
    tenant: 'acme',
    position: i + 1,
    value: {
      ask:
        'occurrence' in asked && asked.occurrence
          ? ({ ...asked, occurrence: { ...asked.occurrence, newId: ulid(i + 1) } } as Ask)
          : asked,
      receivedAt: T0 + (600 + i * 5) * MINUTE,
      ...(delivery !== undefined && { deliveryId: `m-${delivery}` }),
    },
  }));

/** Counts as an occurrence only where it begins an event. */
const isToldOnly = (asked: Ask): boolean =>
  'occurrence' in asked &&
  asked.occurrence !== undefined &&
  (asked.kind !== 'occurred' || asked.occurrence.update === true);

type Driven = ReturnType<typeof driveFold<ReturnType<typeof dedup.open>, Incoming>>;
const resultOf = ({ events, recoveries, deliveries }: Driven) => ({ events, recoveries, deliveries });

/** The events that are found by a sourceId. */
const fedIn = ({ state }: Driven) => [...(state.tenants.get('acme')?.bySource.values() ?? [])].map(String).sort();

/** Cuts a list at random places. */
const cut = <T>(list: readonly T[], sizes: readonly number[]): T[][] => {
  const parts: T[][] = [];
  for (let from = 0, i = 0; from < list.length; i++) {
    const size = sizes[i % sizes.length] ?? 1;
    parts.push(list.slice(from, from + size));
    from += size;
  }
  return parts;
};
const sizes = fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 8 });

async function* each<T>(items: Iterable<T>): AsyncGenerator<T> {
  yield* items;
}

/** Returns rows that the store of `driven` would return after a start. */
const restorable = ({ events, recoveries }: Driven): Restorable => {
  const all = [...events.values()].sort((a, b) => a.position - b.position);
  const last = Math.max(...all.map((event) => event.lastOccurrence));
  const newest = Math.max(...all.map(({ timestamp }) => timestamp));
  const asMade = [...all].sort((a, b) => a.createdPosition - b.createdPosition);
  return {
    until: Number.POSITIVE_INFINITY,
    openEvents: () => each([asMade.filter(({ status }) => status !== 'resolved')]),
    seen: (reachMs) => each([all.filter(({ lastOccurrence }) => lastOccurrence >= last - reachMs)]),
    recoveries: (since) => each(recoveries.filter(({ receivedAt }) => receivedAt >= since)),
    watermarks: () => each(all.length === 0 ? [] : [{ tenant: 'acme', time: last, last, newest }]),
    arrivals: () => each([]),
    habits: () => each([]),
    openGroups: () => each([]),
    lasting: () => each([]),
    decisions: () => each([]),
  };
};

describe('whatever is asked, in any order', () => {
  test('every occurrence is counted in exactly one event, a redelivery in none', () => {
    fc.assert(
      fc.property(log, (records) => {
        const driven = driveFold(dedup);
        const entries = entriesOf(records);
        const { receipts } = driven.batch(entries);
        const answers = new Map<string, number>();
        for (const { value, position } of entries) {
          const first = answers.get(value.deliveryId ?? '') ?? position;
          if (value.deliveryId !== undefined && receipts.get(position)?.ok) answers.set(value.deliveryId, first);
          if (first !== position) expect(receipts.get(position)).toEqual(receipts.get(first));
        }
        const redelivered = ({ value, position }: Entry<Incoming>) =>
          (answers.get(value.deliveryId ?? '') ?? position) < position;
        const counted = entries.filter((entry) => entry.value.ask.kind === 'occurred' && !redelivered(entry));
        const total = [...driven.events.values()].reduce((sum, { count }) => sum + count, 0);
        const told = entries.filter(({ value }) => isToldOnly(value.ask));
        expect(total).toBeLessThanOrEqual(counted.length + told.length);
        if (told.length === 0) expect(total).toBe(counted.length);
      }),
    );
  });

  test('how records fall into batches changes nothing', () => {
    fc.assert(
      fc.property(log, sizes, (records, lengths) => {
        const whole = driveFold(dedup);
        const receipts = whole.batch(entriesOf(records)).receipts;
        const parts = driveFold(dedup);
        const answered = cut(entriesOf(records), lengths).flatMap((batch) => [...parts.batch(batch).receipts]);
        expect(resultOf(parts)).toEqual(resultOf(whole));
        expect(new Map(answered)).toEqual(receipts);
      }),
    );
  });

  test('a restart in the middle changes nothing', async () => {
    await fc.assert(
      fc.asyncProperty(log, fc.nat({ max: 60 }), async (records, at) => {
        const whole = driveFold(dedup);
        whole.batch(entriesOf(records));
        const before = driveFold(dedup);
        before.batch(entriesOf(records).slice(0, at));
        const after = driveFold(dedup, { events: [...before.events.values()] });
        for (const [key, delivery] of before.deliveries) after.deliveries.set(key, delivery);
        after.recoveries.push(...before.recoveries);
        await dedup.restore(after.state, restorable(before), T0 + (600 + at * 5) * MINUTE);
        after.batch(entriesOf(records).slice(at));
        expect(resultOf(after)).toEqual(resultOf(whole));
        expect(fedIn(after)).toEqual(fedIn(whole));
      }),
    );
  });

  test('after a restart a sourceId still finds its event', async () => {
    const before = driveFold(dedup);
    const first = { kind: 'occurred' as const, occurrence: occurrence({ newId: ulid(1), sourceId: 'z-1' }) };
    const second = { kind: 'occurred' as const, occurrence: occurrence({ source: 'nagios', sourceId: 'n-2' }) };
    before.batch(entriesOf([first, second].map((asked) => ({ ask: asked, delivery: undefined }))));
    for (const { source, sourceId } of [first.occurrence, second.occurrence]) {
      const after = driveFold(dedup, { events: [...before.events.values()] });
      await dedup.restore(after.state, restorable(before), T0);
      const over: Ask = { kind: 'recovered', source, sourceId, conditionId: null, at: T0 };
      const asked = after.batch([{ tenant: 'acme', position: 3, value: { ask: over, receivedAt: T0 } }]);
      expect(asked.receipts.get(3)).toMatchObject({ outcome: 'resolved', id: ulid(1) });
    }
  });

  test('no two open events share a condition, none has two of one monitor, and the index names exactly the open ones', () => {
    fc.assert(
      fc.property(log, (records) => {
        const driven = driveFold(dedup);
        driven.batch(entriesOf(records));
        const open = [...driven.events.values()].filter(({ status }) => status !== 'resolved');
        const held = open.flatMap((event) =>
          event.conditions.map((one) => ({ ...one, event: event.id, monitor: one.source ?? event.source })),
        );
        const declared = held.filter(({ plain }) => !plain);
        expect(new Set(declared.map(({ id }) => id)).size).toBe(declared.length);
        expect(declared.filter(({ id, monitor }) => !id.startsWith(`${monitor}:`))).toEqual([]);
        expect(new Set(declared.map(({ event, monitor }) => `${event} ${monitor}`)).size).toBe(declared.length);
        const rows = driven.state.tenants.get('acme');
        const alike = Object.groupBy(open, ({ identity }) => identity);
        for (const [identity, events = []] of Object.entries(alike))
          expect(rows && alikeOf(rows, identity, 99)).toEqual(events.map(({ id }) => id).sort());
        expect(rows?.byIdentity.size).toBe(Object.keys(alike).length);
        expect(rows?.byCondition).toEqual(new Map(declared.map(({ id, event }) => [id, event])));
        expect(rows?.open).toBe(open.length);
        const fed = open.filter((event) => event.conditions.length === 0);
        const ofPlain = held.filter(({ plain }) => plain);
        const keys = new Set([
          ...fed.flatMap((event) => sourceIdsOf(event).flatMap((id) => keysOf(event, id))),
          ...ofPlain.map(({ id }) => keyOf(id)),
        ]);
        expect(rows?.bySource.size).toBe(keys.size);
        for (const { id, event } of ofPlain) expect([rows?.bySource.get(keyOf(id))].flat()).toContain(event);
        for (const event of fed)
          for (const id of sourceIdsOf(event))
            for (const key of keysOf(event, id)) expect([rows?.bySource.get(key)].flat()).toContain(event.id);
      }),
    );
  });
});
