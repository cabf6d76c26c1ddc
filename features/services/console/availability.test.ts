import { expect, test } from '@jest/globals';
import { availabilityWords } from './availability.ts';

const day = (critical_seconds: number) => ({
  from: '2026-11-01T00:00:00.000Z',
  worst: { status: 'healthy' as const, score: 100 },
  critical_seconds,
  degraded_seconds: 0,
});

test.each([
  [[0, 0], '100%'],
  [[864, 0], '99.50%'],
  [[1, 0], '99.99%'],
  [[86_400], '0.00%'],
])('with %j s critical it was available for %s of the time', (seconds, words) => {
  const end = Date.parse('2026-11-01T00:00Z') + seconds.length * 86_400_000;
  expect(availabilityWords(seconds.map(day), end)).toBe(words);
});
