import { expect, test } from '@jest/globals';
import type { SourceShown } from '#console/api/sources.ts';
import { sortedSources, sourceState } from './source-words.ts';

const NOW = Date.parse('2026-11-25T12:00:00.000Z');
const source = (minutes: number | null, events24h = 10, rejected24h = 0, title = 'x'): SourceShown =>
  ({
    title,
    events24h,
    rejected24h,
    lastEventAt: minutes === null ? null : new Date(NOW - minutes * 60_000).toISOString(),
  }) as SourceShown;

test.each([
  [source(null, 0), 'quiet', 'never heard'],
  [source(5), 'good', 'heard'],
  [source(90), 'good', 'heard'],
  [source(90, 288), 'caution', 'gone quiet'],
  [source(59, 288), 'good', 'heard'],
  [source(1_441), 'bad', 'silent for a day'],
  [source(5, 3, 4), 'caution', 'mostly refused'],
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
