import { expect, test } from '@jest/globals';
import type { TopologyChangeData } from '#console/api/cmdb/topology.ts';
import { changeWords, marksOf, REACHES, STEPS, stepOf, timeOf, typedAt, typedText } from './past.ts';

const NOW = Date.parse('2026-11-25T12:00:00Z');
const DAY = REACHES[0];

test('the slider begins a day ago and ends now', () => {
  expect(timeOf(0, NOW, DAY)).toBe('2026-11-24T12:00:00.000Z');
  expect(timeOf(STEPS / 2, NOW, DAY)).toBe('2026-11-25T00:00:00.000Z');
  expect(timeOf(STEPS, NOW, DAY)).toBeNull();
});

test('a time has its place, also one that lies before the slider', () => {
  expect(stepOf('2026-11-25T00:00:00Z', NOW, DAY)).toBe(STEPS / 2);
  expect(stepOf('2020-01-01T00:00:00Z', NOW, DAY)).toBe(0);
  expect(stepOf('2026-11-25T11:59:59Z', NOW, DAY)).toBe(STEPS - 1);
  expect(stepOf(null, NOW, DAY)).toBe(STEPS);
});

const change = (part: Partial<TopologyChangeData>): TopologyChangeData => ({
  at: '2026-11-25T00:00:00Z',
  of: 'ci',
  action: 'updated',
  by: null,
  id: 'x',
  name: 'db-1',
  type: 'database',
  revision: 2,
  source: null,
  target: null,
  changes: [],
  ...part,
});

test('changes at one place are one mark', () => {
  expect(marksOf([change({}), change({}), change({ at: '2026-11-25T06:00:00Z' })], NOW, DAY)).toEqual([
    { left: 50, changes: 2 },
    { left: 75, changes: 1 },
  ]);
});

test.each([
  [{ changes: [{ field: 'attributes.site', before: 'a', after: null }] }, 'db-1 (database) changed: Site a → (empty)'],
  [{ action: 'deleted' as const }, 'db-1 (database) removed'],
  [
    {
      of: 'relationship' as const,
      action: 'created' as const,
      type: 'runs_on',
      source: { id: '1', name: 'app-3' },
      target: { id: '2', name: 'esx-8' },
    },
    '“app-3 runs on esx-8” added',
  ],
])('%j is told in words', (part, words) => {
  expect(changeWords(change(part))).toBe(words);
});

test('what is dragged can be typed, in the zone of the person', () => {
  const at = '2026-11-23T04:35:00.000Z';
  expect([typedText(at, 'Asia/Kathmandu'), typedText(at, 'UTC'), typedText(null, 'UTC')]).toEqual([
    '2026-11-23T10:20',
    '2026-11-23T04:35',
    '',
  ]);
  expect([typedAt('2026-11-23T10:20', 'Asia/Kathmandu'), typedAt('', 'UTC')]).toEqual([at, null]);
});
