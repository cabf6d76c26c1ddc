import { describe, expect, test } from '@jest/globals';
import type { EventDraft } from '#domain/event/draft.ts';
import { openRecordWorld, TENANT } from '#test/setup/record-world.ts';
import type { EventAction } from './event-action.ts';
import { HEARTBEAT_KIND, heartbeatOf, listedHeartbeats, noteHeartbeats } from './heartbeats.ts';

const listed = listedHeartbeats(['Watchdog', 'DeadMansSwitch']);

const open = (draft: Partial<EventDraft>): EventAction => ({
  action: 'open',
  conditionId: null,
  draft: { source: 's', sourceId: '1', severity: 'info', title: 'An alert that always fires', ...draft },
});
const change = (action: 'resolve' | 'acknowledge' | 'suppress' | 'unsuppress'): EventAction => ({
  action,
  source: 's',
  sourceId: 'watchdog',
  conditionId: null,
});

describe('a listed heartbeat is known by', () => {
  test.each<[string, EventAction, string | null]>([
    ['its label in the details', open({ details: { alertname: 'Watchdog' } }), 'watchdog'],
    ['its label among the tags', open({ tags: ['team:a', 'alertname:DeadMansSwitch'] }), 'deadmansswitch'],
    ['its title', open({ title: 'Watchdog' }), 'watchdog'],
    ['any case', open({ title: 'wATCHDOG' }), 'watchdog'],
    ['not when it ends', change('resolve'), null],
    ['not a part of the name', open({ title: 'Watchdog of db-1' }), null],
    ['not a name that contains it', open({ details: { alertname: 'MyWatchdog' } }), null],
    ['not its title when the label says otherwise', open({ title: 'Watchdog', details: { alertname: 'Disk' } }), null],
    ['not a label that is no text', open({ details: { alertname: 7 } }), null],
    ['not an acknowledgement', change('acknowledge'), null],
    ['not a suppression', change('suppress'), null],
  ])('%s', (_what, action, id) => {
    expect(heartbeatOf(action, listed)).toBe(id);
  });
});

test('a beat that was noted while the clock was ahead is noted anew when the clock is right', async () => {
  using world = openRecordWorld();
  const { records, clock } = world.ports;
  const now = clock.now();
  const seen: (number | undefined)[] = [];
  for (const receivedAt of [now + 86_400_000, now, now + 5_000, now + 10_000]) {
    await noteHeartbeats(records, [open({ title: 'Watchdog' })], { tenant: TENANT, receivedAt }, ['Watchdog']);
    seen.push((await records.get<{ lastSeen: number }>(TENANT, HEARTBEAT_KIND, 'watchdog'))?.body.lastSeen);
  }
  expect(seen).toEqual([now + 86_400_000, now, now, now + 10_000]);
});
