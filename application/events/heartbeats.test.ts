import { describe, expect, test } from '@jest/globals';
import type { EventDraft } from '#domain/event/draft.ts';
import type { EventAction } from './event-action.ts';
import { heartbeatOf, listedHeartbeats } from './heartbeats.ts';

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
