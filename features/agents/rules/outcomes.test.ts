import { describe, expect, test } from '@jest/globals';
import type { Event } from '#domain/event/event.ts';
import { changeConfidence, changeOutcome, forecastOutcome, groupOutcome } from './outcomes.ts';

const MINUTE = 60_000;
type Ended = Pick<Event, 'id' | 'status' | 'resolvedAt' | 'resolutionCategory'>;
const ended = (id: string, minute: number, category: Event['resolutionCategory'] = 'auto-resolved'): Ended => ({
  id,
  status: 'resolved',
  resolvedAt: minute * MINUTE,
  resolutionCategory: category!,
});
const open = (id: string): Ended => ({ id, status: 'open' });

describe('whether a cause was right', () => {
  test.each<[string, readonly Ended[], 'right' | 'wrong' | null]>([
    ['mended by hand, the others followed', [ended('c', 0, 'manual-fix'), ended('a', 1), ended('b', 30)], 'right'],
    ['the others followed too late', [ended('c', 0, 'manual-fix'), ended('a', 31)], null],
    ['another one ended before it', [ended('c', 5, 'manual-fix'), ended('a', 4)], null],
    ['another one is still on', [ended('c', 0, 'manual-fix'), open('a')], null],
    ['resolved automatically', [ended('c', 0), ended('a', 1)], null],
    ['it was no fault', [ended('c', 0, 'false-positive'), open('a')], 'wrong'],
    ['it is still on', [open('c'), ended('a', 1)], null],
    ['it is alone', [ended('c', 0, 'manual-fix')], null],
    ['it is no member any more', [ended('a', 1)], null],
  ])('%s', (_, members, verdict) => {
    expect(groupOutcome('c', members)).toBe(verdict);
  });
});

test.each([
  [0.1, false, 'right', 0.9],
  [0.1, true, 'wrong', 0.9],
  [0.7, true, 'right', 0.7],
  [0.5, false, 'wrong', 0.5],
] as const)('a change said to fail by %d that failed: %s is %s', (probability, failed, verdict, confidence) => {
  expect(changeOutcome(probability, failed)).toBe(verdict);
  expect(changeConfidence(probability)).toBeCloseTo(confidence, 10);
});

test.each([
  [5, 'right'],
  [9, 'right'],
  [4, 'wrong'],
  [10, 'wrong'],
] as const)('%i in a forecast of 5 to 9 is %s', (actual, verdict) => {
  expect(forecastOutcome(actual, { low: 5, high: 9 })).toBe(verdict);
});
