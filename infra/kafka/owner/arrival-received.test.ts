import { expect, test } from '@jest/globals';
import { leastUlidAt } from '#domain/access/ulid-time.ts';
import { arrivalReceived } from './held.ts';
import type { Input } from './owner.ts';

const NOON = Date.UTC(2026, 10, 20, 12);
const facts = (rest: object = {}, rebound = false, eventId = leastUlidAt(NOON)) => ({
  kind: 'facts',
  arrival: { eventId, rebound },
  ...rest,
});
const input = (value: unknown, fault: string | null = null) =>
  ({ entry: { tenant: 'acme', position: 1, value }, fault }) as Input;

test.each([
  ['a new event', input(facts()), NOON],
  ['one that is asked for on demand', input(facts({ links: [] })), null],
  ['one that is linked by hand', input(facts({ links: [], manual: true })), null],
  ['one that is bound later', input(facts({}, true)), null],
  ['an id without a time', input(facts({}, false, 'no ulid')), null],
  ['hits', input({ kind: 'hits' }), null],
  ['nothing', input(null), null],
  ['what cannot be read', input(null, 'broken'), null],
])('%s', (_what, given, received) => {
  expect(arrivalReceived(given)).toBe(received);
});
