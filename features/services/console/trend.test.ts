import { expect, test } from '@jest/globals';
import { lineOf, lowestOf } from './trend.ts';

test.each([
  [[100, 0, 50], 'M210 1H220V23H230V12H240'],
  [
    [...Array(23).fill(100), 0],
    `M0 1${Array.from({ length: 23 }, (_, hour) => `${hour === 0 ? '' : 'V1'}H${(hour + 1) * 10}`).join('')}V23H240`,
  ],
  [[], ''],
])('the line of %j is %s', (scores, path) => expect(lineOf(scores, 240, 24)).toBe(path));

test('the lowest score is that of the last hour with it', () => {
  const from = '2026-11-01T10:00:00.000Z';
  const at = Date.parse('2026-11-01T12:00Z');
  expect(lowestOf({ service_id: 's', from, scores: [100, 40, 40, 90] })).toEqual({ score: 40, at });
});
