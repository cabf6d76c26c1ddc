import { expect, test } from '@jest/globals';
import { isInTime, understood, valueWords } from './answer-text.ts';
import type { ReportDetails } from './api.ts';

test.each([
  [null, 'count', '–'],
  [1204, 'count', '1,204'],
  [754, 'seconds', '12m'],
  [0.756, 'share', '76%'],
  [3.5, 'cost', '3.50'],
  [71.6, 'score', '72'],
] as const)('%s of unit %s is read as %s', (value, unit, expected) => {
  expect(valueWords(value, unit)).toBe(expected);
});

const told = (interpretation: object): ReportDetails => ({ interpretation }) as ReportDetails;

test('what was counted is said in words', () => {
  expect(
    understood(told({ metric: 'events', group_by: 'service', filters: { severity: ['critical', 'major'] } })),
  ).toBe('Events by service, severity critical or major');
  expect(understood(told({ metric: 'events', group_by: 'ci_type', filters: { ci: 'db-1' } }))).toBe(
    'Events by CI type, CI db-1',
  );
  expect(understood(told({ metric: 'mttr', group_by: null, filters: {} }))).toBe('Mean time to resolve');
  expect(understood(told({ metric: null, group_by: null, filters: {} }))).toBe('');
  expect(isInTime(told({ group_by: 'day' }))).toBe(true);
  expect(isInTime(told({ group_by: 'ci' }))).toBe(false);
});
