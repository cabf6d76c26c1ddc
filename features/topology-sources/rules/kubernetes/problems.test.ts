import { expect, test } from '@jest/globals';
import { isStockDown } from '#domain/event/identity/stock-alerts.ts';
import { heardEvent } from './heard-event.ts';
import { endedBy, FAMILIES, familyOf } from './problems.ts';

test.each([
  ['pod', 'BackOff', 'Back-off restarting failed container app in pod image-1_shop', 'crash'],
  ['pod', 'BackOff', 'Back-off pulling image "shop:2"', 'image'],
  ['pod', 'Failed', 'Failed to pull image "shop:2": not found', 'image'],
  ['pod', 'Failed', 'Error: ImagePullBackOff', 'image'],
  ['pod', 'Failed', 'Error: secret "x" not found', 'container'],
  ['pod', 'Unhealthy', 'Readiness probe failed', 'probe'],
  ['pod', 'Evicted', 'The node was low on resource: memory', 'evicted'],
  ['node', 'NodeNotReady', 'Node node-1 status is now: NodeNotReady', 'node_ready'],
  // The node controller tells it of each pod, too.
  ['pod', 'NodeNotReady', 'Node is not ready', undefined],
  ['node', 'SystemOOM', 'System OOM encountered', 'node_oom'],
  ['replicaset', 'FailedCreate', 'exceeded quota', 'create'],
  ['pod', 'Killing', 'Stopping container app', undefined],
])('%s: %s (%s) is %s', (kind, reason, message, expected) => {
  expect(familyOf({ kind, reason, message })).toBe(expected);
});

test('what is no state of a node and says nothing about readiness ends by time', () => {
  for (const { ends, lastsMs } of Object.values(FAMILIES)) expect(ends === 'state').toBe(lastsMs === null);
  expect(endedBy('NodeReady')).toEqual(['node_ready']);
  expect(endedBy('Killing')).toEqual([]);
});

test.each([
  [{ lastTimestamp: '2026-11-29T10:00:00Z', count: 3 }, 3, '2026-11-29T10:00:00.000Z'],
  [
    { eventTime: '2026-11-29T10:00:00.123456Z', series: { count: 7, lastObservedTime: '2026-11-29T10:05:00.5Z' } },
    7,
    '2026-11-29T10:05:00.500Z',
  ],
  [{ metadata: { creationTimestamp: '2026-11-29T10:00:00Z' } }, 1, '2026-11-29T10:00:00.000Z'],
])('%j has its count and time', (event, count, at) => {
  const heard = heardEvent(event);
  expect([heard.count, new Date(heard.at).toISOString()]).toEqual([count, at]);
});

test('JSON that is no event at all is read, too', () => {
  for (const odd of [null, 1, [], { metadata: 1, involvedObject: [], message: {} }])
    expect(heardEvent(odd)).toMatchObject({ reason: '', message: '', count: 1, at: 0 });
});

test('a stock alert that stops its object is known by name, whatever its severity', () => {
  expect(isStockDown({ title: 'x', tags: ['alertname:KubePodCrashLooping'] })).toBe(true);
  expect(isStockDown({ title: 'x', tags: ['alertname:KubePodNotReady'] })).toBe(false);
});
