import { expect, test } from '@jest/globals';
import type { SourceData } from '#console/api/sources.ts';
import { sortedSources, sourceState } from './source-text.ts';

const NOW = Date.parse('2026-11-25T12:00:00.000Z');
const source = (minutes: number | null, events24h = 10, rejected24h = 0, title = 'x'): SourceData =>
  ({
    title,
    events24h,
    rejected24h,
    lastEventAt: minutes === null ? null : new Date(NOW - minutes * 60_000).toISOString(),
  }) as SourceData;

test.each([
  [source(null, 0), 'quiet', 'Not connected'],
  [source(5), 'good', 'Receiving'],
  [source(90), 'good', 'Receiving'],
  [source(90, 288), 'caution', 'No events for 1h'],
  [source(59, 288), 'good', 'Receiving'],
  [source(1_441), 'bad', 'No events for 24h'],
  [source(5, 3, 4), 'caution', 'Most payloads rejected'],
])('%j is %s: %s', (one, kind, words) => {
  expect(sourceState(one, NOW)).toEqual({ kind, words });
});

test('what needs a look comes first', () => {
  const all = [
    source(null, 0, 0, 'never'),
    source(5, 10, 0, 'few'),
    source(5, 90, 0, 'many'),
    source(2_000, 0, 0, 'gone'),
  ];
  expect(sortedSources(all, NOW).map(({ title }) => title)).toEqual(['gone', 'many', 'few', 'never']);
});
