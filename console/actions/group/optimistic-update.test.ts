import { expect, test } from '@jest/globals';
import type { GroupRow } from '#console/api/groups.ts';
import { optimisticUpdate } from './optimistic-update.ts';

const ADA = { _id: 'u1', username: 'ada', name: 'Ada' };
const GROUP = { status: 'active', counts: { open: 3, acknowledged: 2, suppressed: 1, resolved: 4 } } as GroupRow;

test.each([
  ['acknowledge', 'acknowledged', { open: 0, acknowledged: 5, suppressed: 1, resolved: 4 }],
  ['resolve', 'resolved', { open: 0, acknowledged: 0, suppressed: 0, resolved: 10 }],
  ['unacknowledge', 'active', { open: 5, acknowledged: 0, suppressed: 1, resolved: 4 }],
  ['reopen', 'active', { open: 3, acknowledged: 2, suppressed: 1, resolved: 4 }],
] as const)('after %s a group is %s', (verb, expected, counts) => {
  expect(optimisticUpdate(GROUP, verb, ADA, 'now')).toMatchObject({ status: expected, counts });
});

test('who acknowledges is named, and no one after it was opened again', () => {
  const acknowledged = optimisticUpdate(GROUP, 'acknowledge', ADA, 'now');
  expect(acknowledged).toMatchObject({ acknowledgedBy: ADA, acknowledgedAt: 'now' });
  expect(optimisticUpdate(acknowledged, 'unacknowledge', ADA, 'later').acknowledgedBy).toBeNull();
});
