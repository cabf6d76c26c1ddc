import { describe, expect, test } from '@jest/globals';
import type { Condition, Event } from '#domain/event/event.ts';
import { MINUTE, NOON, sampleEvent } from '#test/contract/samples.ts';
import { endOf, endSilent, silenceOf } from './ending.ts';
import { DEFAULT_LIFECYCLE, type Lifecycle, shortestSilence } from './lifecycle.ts';

const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const event = (changes: Partial<Event> = {}): Event =>
  sampleEvent(0, { firstOccurrence: NOON, lastOccurrence: NOON, updatedAt: NOON, ...changes });
const CONDITION = { conditions: [{ id: 'zabbix 1', position: 1 }] };
const rules = (lifecycle: Partial<Lifecycle> = {}) => ({
  lifecycle: { ...DEFAULT_LIFECYCLE, ...lifecycle },
  longestWindowMs: HOUR,
});

describe('how long silence must last', () => {
  const exceptions = [
    { source: 'otel', severity: 'info' as const, resolveAfterMs: HOUR },
    { source: 'otel', resolveAfterMs: null },
    { severity: 'critical' as const, resolveAfterMs: 3 * DAY },
  ];
  test.each<[string, Partial<Event>, number | null]>([
    ['by default', {}, DAY],
    ['with a condition of a monitor', CONDITION, 7 * DAY],
    [
      'with a condition that Faultline watches itself',
      { conditions: [{ id: 'faultline:heartbeat/x', position: 1 }] },
      null,
    ],
    ['with a sourceId alone', { conditions: [{ ...CONDITION.conditions[0]!, plain: true } as Condition] }, DAY],
    ['a source and severity', { source: 'otel', severity: 'info' }, HOUR],
    ['a source, never', { source: 'otel', severity: 'critical' }, null],
    ['a severity', { severity: 'critical' }, 3 * DAY],
    ['a condition has no exceptions', { ...CONDITION, severity: 'critical' }, 7 * DAY],
  ])('%s', (_, changes, expected) => {
    expect(silenceOf(event(changes), { ...DEFAULT_LIFECYCLE, exceptions })).toBe(expected);
  });
  test('the shortest of all is where looking begins', () => {
    expect(shortestSilence(DEFAULT_LIFECYCLE)).toBe(DAY);
    expect(shortestSilence({ ...DEFAULT_LIFECYCLE, exceptions })).toBe(HOUR);
    expect(shortestSilence({ resolveAfterMs: null, conditionResolveAfterMs: null, exceptions: [] })).toBeNull();
  });
});

describe('what is over', () => {
  test.each<[string, Partial<Event>, number, string | null]>([
    ['not yet', {}, DAY, null],
    ['after a day', {}, DAY + 1, 'no updates for 24h'],
    ['after some more', {}, DAY + 90 * MINUTE, 'no updates for 25h'],
    ['with a condition not after a day', CONDITION, 2 * DAY, null],
    ['with a condition after a week', CONDITION, 7 * DAY + 1, 'no updates for 7d'],
    ['received long after it happened', { updatedAt: NOON + HOUR }, DAY + HOUR, null],
    ['a change within the longest window', { category: 'Deployment' }, HOUR, null],
    ['a change after it', { category: 'Deployment' }, HOUR + 1, 'change events resolve automatically'],
    ['a change by its tag', { tags: ['type:change'] }, HOUR + 1, 'change events resolve automatically'],
    ['no change by its title', { title: 'DaemonSet rollout is slow' }, HOUR + 1, null],
    ['a change that a monitor will end', { ...CONDITION, category: 'change' }, HOUR + 1, null],
    ['a change that no monitor has ended', { ...CONDITION, category: 'change' }, 7 * DAY + 1, 'no updates for 7d'],
  ])('%s', (_, changes, later, notes) => {
    expect(endOf(event(changes), rules(), NOON + later)?.notes ?? null).toBe(notes);
  });
  test('never, when the tenant says so', () => {
    expect(endOf(event(), rules({ resolveAfterMs: null }), NOON + 400 * DAY)).toBeNull();
    expect(endOf(event({ category: 'change' }), rules({ resolveAfterMs: null }), NOON + 2 * HOUR)).toMatchObject({
      category: 'no-action-needed',
    });
  });
});

describe('its owner ends it', () => {
  const silence = { heard: NOON, category: 'auto-resolved', notes: 'no updates for 24h' } as const;
  const stamp = { position: 9, receivedAt: NOON + DAY };
  test('with category, notes and a line in the history', () => {
    const { event: after, outcome } = endSilent(event(), silence, stamp);
    expect([outcome, after.status, after.resolvedAt]).toEqual(['resolved', 'resolved', NOON + DAY]);
    expect(after).toMatchObject({ resolutionCategory: 'auto-resolved', resolutionNotes: 'no updates for 24h' });
    expect(after.history.at(-1)).toMatchObject({ by: null, to: 'resolved', notes: 'no updates for 24h', position: 9 });
  });
  test.each<[string, Partial<Event>]>([
    ['occurred again since', { lastOccurrence: NOON + 1 }],
    ['was changed since', { updatedAt: NOON + 1 }],
    ['is over', { status: 'resolved' }],
  ])('unless it %s', (_, changes) => {
    const before = event(changes);
    expect(endSilent(before, silence, stamp)).toEqual({ event: before, outcome: 'ignored' });
  });
});
