import { expect, test } from '@jest/globals';
import type { Severity } from '#domain/event/event.ts';
import { DAY_MS, pastHealth } from './past-health.ts';

const HOUR = 3_600_000;
const from = Date.parse('2026-11-01T00:00Z');
const to = from + 3 * DAY_MS;
const service = { createdAt: 0, components: [{ ciId: 'db', role: 'component', redundancy: null }] };
const event = (severity: Severity, start: number, end: number | null, status = 'resolved' as const, ci = 'db') => ({
  ci: { id: ci } as never,
  severity,
  status: end === null ? ('open' as const) : status,
  firstOccurrence: from + start * HOUR,
  lastOccurrence: from + start * HOUR,
  title: 'Down',
  tags: [] as string[],
  ...(end !== null && { resolvedAt: from + end * HOUR }),
});
const hours = (days: ReturnType<typeof pastHealth>) =>
  days.map(({ worst, criticalMs, degradedMs }) => [worst.status, criticalMs / HOUR, degradedMs / HOUR]);

test('an outage counts in the days that it touches, by the worst open event', () => {
  const events = [event('critical', 22, 26), event('major', 20, 30), event('info', 50, null)];
  expect(hours(pastHealth({ service, events, edges: [], from, to }))).toEqual([
    ['critical', 2, 2],
    ['critical', 2, 4],
    ['healthy', 0, 0],
  ]);
});

test('before its creation nothing is known, and the rest of that day counts', () => {
  const made = { ...service, createdAt: from + 30 * HOUR };
  const events = [event('critical', 10, 31)];
  expect(hours(pastHealth({ service: made, events, edges: [], from, to }))).toEqual([
    ['unknown', 0, 0],
    ['critical', 1, 0],
    ['healthy', 0, 0],
  ]);
});

test('events that began before, that are not over, of other CIs, suppressed ones and changes', () => {
  const events = [
    event('critical', -48, 1),
    event('critical', 71, null),
    event('critical', 30, 40, 'resolved', 'other'),
    { ...event('critical', 30, 40), status: 'suppressed' as const },
    { ...event('critical', 30, null), tags: ['change'] },
  ];
  expect(hours(pastHealth({ service, events, edges: [], from, to }))).toEqual([
    ['critical', 1, 0],
    ['healthy', 0, 0],
    ['critical', 1, 0],
  ]);
});

test('a failure upstream counts as it does now', () => {
  const edges = [{ source: 'db', target: 'switch', attributes: {}, createdAt: 0 }];
  const [day] = pastHealth({
    service,
    events: [event('critical', 1, 2, 'resolved', 'switch')],
    edges,
    from,
    to: from + DAY_MS,
  });
  expect(day).toMatchObject({ worst: { status: 'critical' }, criticalMs: HOUR });
});

test('a relationship counts from its creation, not in the past before it', () => {
  const edges = [{ source: 'db', target: 'switch', attributes: {}, createdAt: from + 30 * HOUR }];
  const events = [event('critical', 1, null, 'resolved', 'switch')];
  expect(hours(pastHealth({ service, events, edges, from, to: from + 2 * DAY_MS }))).toEqual([
    ['healthy', 0, 0],
    ['critical', 18, 0],
  ]);
});

test('a removed relationship counts until its removal', () => {
  const edge = { source: 'db', target: 'switch', attributes: {}, createdAt: 0 };
  const edges = [
    { ...edge, removedAt: from + 30 * HOUR },
    { ...edge, target: 'none', removedAt: from - HOUR },
  ];
  const events = [event('critical', 28, null, 'resolved', 'switch'), event('critical', 1, 2, 'resolved', 'none')];
  expect(hours(pastHealth({ service, events, edges, from, to }))).toEqual([
    ['healthy', 0, 0],
    ['critical', 2, 0],
    ['healthy', 0, 0],
  ]);
});

test('components count from when they were added until they were removed', () => {
  const [db] = service.components;
  const changed = {
    ...service,
    components: [{ ...db!, ciId: 'web' }],
    earlier: [
      { components: [], until: from + HOUR },
      { components: service.components, until: from + 30 * HOUR },
    ],
  };
  const events = [event('critical', 0, null, 'resolved', 'web'), event('critical', 26, null)];
  expect(hours(pastHealth({ service: changed, events, edges: [], from, to }))).toEqual([
    ['healthy', 0, 0],
    ['critical', 22, 0],
    ['critical', 24, 0],
  ]);
});

test('by the hour', () => {
  const events = [event('critical', 1, 2), event('major', 3, null)];
  const trend = pastHealth({ service, events, edges: [], from, to: from + 4.5 * HOUR, stepMs: HOUR });
  expect(trend.map(({ worst }) => worst.score)).toEqual([100, 0, 100, 55, 55]);
});
