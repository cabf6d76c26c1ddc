import { expect, test } from '@jest/globals';
import type { GroupChange } from '#domain/correlation/records.ts';
import { SETTINGS } from '#test/setup/merge-kit.ts';
import { flushChanges, type GroupChanges, noteChange } from './apply.ts';
import { emptyGroup } from './groups.ts';

test('a group that takes in 150,000 events is told in records of bounded size', () => {
  const events = Array.from({ length: 150_000 }, (_, n) => `01ARZ3NDEKTSV4RRFFQ${String(n).padStart(7, '0')}`);
  const group = emptyGroup({
    tenant: 't',
    id: 'g',
    foundedBy: events[0]!,
    foundedAt: 0,
    createdPosition: 1,
    weights: SETTINGS.rootCause,
    profile: SETTINGS.profile,
  });
  group.aliases = events;
  const changes: GroupChanges = new Map();
  noteChange(changes, { kind: 'merged', group, events });
  const told: GroupChange[] = [];
  flushChanges(changes, (_, changes) => told.push(...changes));
  expect(told.flatMap((change) => change.events)).toEqual(events);
  expect(told.every(({ kind }) => kind === 'merged')).toBe(true);
  expect(Math.max(...told.map((change) => JSON.stringify(change).length))).toBeLessThan(2 ** 20);
});
