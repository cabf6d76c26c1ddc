import { expect, test } from '@jest/globals';
import { availabilityWords } from './availability.ts';

const START = Date.parse('2026-11-01T00:00Z');
const day = (critical_seconds: number, status: 'healthy' | 'unknown' = 'healthy') => ({
  from: '2026-11-01T00:00:00.000Z',
  worst: { status, score: 100 },
  critical_seconds,
  degraded_seconds: 0,
});

test.each([
  [[0, 0], '100%'],
  [[864, 0], '99.50%'],
  [[1, 0], '99.99%'],
  [[86_400], '0%'],
])('with %j s critical it was available for %s of the time', (seconds, words) => {
  const days = seconds.map((critical) => day(critical));
  expect(availabilityWords(days, 0, START + seconds.length * 86_400_000)).toBe(words);
});

test('time before it was created does not count', () => {
  const days = [day(0, 'unknown'), day(360)];
  expect(availabilityWords(days, START + 47 * 3_600_000, START + 48 * 3_600_000)).toBe('90.00%');
  expect(availabilityWords([day(0, 'unknown')], START, START + 1_000)).toBeNull();
});
