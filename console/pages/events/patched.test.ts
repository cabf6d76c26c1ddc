import { expect, test } from '@jest/globals';
import type { EventRow, EventsPage } from '#console/api/events.ts';
import { patched } from './patched.ts';

const row = (eventId: string, updatedAt: string): EventRow => ({ eventId, updatedAt }) as EventRow;
const page = (...events: EventRow[]): EventsPage => ({ events, pagination: {} }) as unknown as EventsPage;

test('what was read anew stands where it stood', () => {
  const before = page(row('a', '1'), row('b', '1'));
  const after = patched(before, new Map([['b', row('b', '2')]]));
  expect(after?.events.map(({ eventId, updatedAt }) => eventId + updatedAt)).toEqual(['a1', 'b2']);
});

test('a page in which nothing changed is the same', () => {
  const before = page(row('a', '1'));
  expect(patched(before, new Map([['a', row('a', '1')]]))).toBe(before);
  expect(patched(before, new Map([['z', row('z', '9')]]))).toBe(before);
  expect(patched(undefined, new Map())).toBeUndefined();
});
