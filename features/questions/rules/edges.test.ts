import { expect, test } from '@jest/globals';
import { bucketEdges } from './edges.ts';

test('edges of hours, days and weeks lie where they begin in the zone, between the ends of the range', () => {
  const range = { from: Date.parse('2026-10-24T20:00:00Z'), to: Date.parse('2026-10-26T10:30:00Z') };
  const edges = (unit: 'hour' | 'day' | 'week') =>
    bucketEdges(range, unit, 'Europe/Berlin').map((at) => new Date(at).toISOString().slice(5, 16));
  expect(edges('day')).toEqual(['10-24T20:00', '10-24T22:00', '10-25T23:00', '10-26T10:30']);
  expect(edges('week')).toEqual(['10-24T20:00', '10-25T23:00', '10-26T10:30']);
  expect(edges('hour')).toHaveLength(40);
  const long = bucketEdges({ from: 0, to: range.to }, 'day', 'UTC');
  expect([long.length, long.at(-1)]).toEqual([1_001, range.to]);
});
