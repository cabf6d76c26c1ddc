import { expect, test } from '@jest/globals';
import type { GroupRow } from '#console/api/groups.ts';
import { foreseen } from './foresee.ts';

const ADA = { _id: 'u1', username: 'ada', name: 'Ada' };
const GROUP = { status: 'active', counts: { open: 3, acknowledged: 2, suppressed: 1, resolved: 4 } } as GroupRow;

test.each([
  ['acknowledged', 'acknowledged', { open: 0, acknowledged: 5, suppressed: 1, resolved: 4 }],
  ['resolved', 'resolved', { open: 0, acknowledged: 0, suppressed: 0, resolved: 10 }],
  ['suppressed', 'resolved', { open: 0, acknowledged: 0, suppressed: 6, resolved: 4 }],
  ['open', 'active', { open: 5, acknowledged: 0, suppressed: 1, resolved: 4 }],
] as const)('a group whose members become %s is %s', (status, expected, counts) => {
  expect(foreseen(GROUP, status, ADA, 'now')).toMatchObject({ status: expected, counts });
});

test('who acknowledges has it, and nobody after it was opened again', () => {
  const acknowledged = foreseen(GROUP, 'acknowledged', ADA, 'now');
  expect(acknowledged).toMatchObject({ acknowledgedBy: ADA, acknowledgedAt: 'now' });
  expect(foreseen(acknowledged, 'open', ADA, 'later').acknowledgedBy).toBeNull();
});
