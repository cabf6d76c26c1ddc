import { expect, test } from '@jest/globals';
import { leastUlidAt } from '#domain/access/ulid-time.ts';
import type { Decision } from '#domain/correlation/records.ts';
import type { Changes } from '#domain/ports/pipeline-store.ts';
import { correlatedAfter } from './correlated-after.ts';
import type { Input } from './owner.ts';

const NOON = Date.UTC(2026, 10, 20, 12);
const decision = (eventId: string, manual = false): Decision => ({
  ...{ tenant: 'acme', position: 1, eventId, accepted: [], refused: [], groupId: null, joined: [], merged: [] },
  ...{ closed: [], cut: {}, manual },
});
const changes = (...decisions: Decision[]): Changes => ({
  ...{ events: [], recoveries: [], deliveries: [], enriched: [], groups: [], decisions },
});
const facts = (eventId: string, rest: object = {}, rebound = false) =>
  ({
    entry: { tenant: 'acme', position: 1, value: { kind: 'facts', arrival: { eventId, rebound }, ...rest } },
  }) as Input;
const event = (secondsAgo: number): string => leastUlidAt(NOON - secondsAgo * 1_000);

test('each new event counts from the time in its id; what is decided about an event again does not', () => {
  const [fresh, demanded, rebound, byHand, future] = [event(2), event(900), event(901), event(902), event(-5)];
  const inputs = [facts(fresh), facts(demanded, { links: [] }), facts(rebound, {}, true), facts(byHand)];
  const decided = changes(
    ...[fresh, demanded, rebound, future, 'no ulid'].map((id) => decision(id)),
    decision(byHand, true),
  );
  expect(correlatedAfter(decided, inputs, NOON)).toEqual([2, 0]);
  expect(correlatedAfter(changes(), inputs, NOON)).toEqual([]);
});
