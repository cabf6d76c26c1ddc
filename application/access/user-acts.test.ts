import { expect, test } from '@jest/globals';
import type { AuditRecord } from '#domain/access/records.ts';
import { actOf } from './user-acts.ts';

test.each([
  ['event.correlated', null, { reason: 'one outage' }, 'group.merged', 'one outage'],
  ['group.assigned', null, { assignedTo: { id: 'u', name: 'Ann' } }, 'group.assigned', 'to Ann'],
  ['group.assigned', null, { assignedTeam: { id: 't', name: 'Network' } }, 'group.assigned', 'to Network'],
  ['event.updated', { status: 'open' }, { status: 'acknowledged' }, 'event.acknowledged', null],
])('%s from %j to %j is %s: %s', (action, before, after, named, text) => {
  const record = { id: 'a', at: 0, target: { kind: 'group', id: 'COR-1' }, action, before, after };
  expect(actOf(record as unknown as AuditRecord)).toMatchObject({ action: named, text });
});
