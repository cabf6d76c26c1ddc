import { describe, expect, test } from '@jest/globals';
import type { Recency } from '#domain/event/event.ts';
import { binOf, isForgotten, isRecurring, markSeen, SEEN_BIN_MS, unitedSeen } from './accumulated.ts';

const at = (bin: number): number => (1_000 + bin) * SEEN_BIN_MS;
const seenIn = (bins: readonly number[]): Recency | null =>
  bins.reduce<Recency | null>((seen, bin) => markSeen(seen, at(bin)), null);
const range = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, i) => from + i);

describe('usual: seen in at least 12 of the 24 bins before', () => {
  test.each<[string, number[], number, boolean]>([
    ['never seen', [], 24, false],
    ['12 bins before', range(12, 24), 24, true],
    ['11 bins before and the current one', range(13, 25), 24, false],
    ['every other bin', range(0, 24).filter((bin) => bin % 2 === 0), 24, true],
    ['12 bins, the oldest 25 bins before', range(0, 12), 25, false],
    ['12 bins, the oldest 24 bins before', range(0, 12), 24, true],
    ['4 h ago', range(0, 24), 60, false],
    ['out of order', range(12, 24).reverse(), 24, true],
    ['seen from an older time', range(0, 24), 11, false],
    ['seen from an older time with 12 before', range(0, 24), 12, true],
  ])('%s', (_what, bins, now, usual) => {
    expect(isRecurring(seenIn(bins), at(now))).toBe(usual);
  });
});

test('the same bin again changes nothing', () => {
  const seen = markSeen(null, at(3));
  expect(markSeen(seen, at(3) + 1)).toBe(seen);
});

test('what is too old to count leaves no mark', () => {
  const seen = markSeen(null, at(30));
  expect(markSeen(seen, at(5))).toBe(seen);
  expect(markSeen(seen, at(6)).bits).toBe(1 + 2 ** 24);
});

test('forgotten after 24 bins', () => {
  const seen = markSeen(null, at(0));
  expect(isForgotten(seen, binOf(at(24)))).toBe(false);
  expect(isForgotten(seen, binOf(at(25)))).toBe(true);
});

test('two records of one identity unite', () => {
  const [early, late] = [seenIn(range(0, 8)), seenIn(range(8, 14))] as [Recency, Recency];
  expect(unitedSeen(early, late)).toEqual(seenIn(range(0, 14)));
  expect(unitedSeen(late, early)).toEqual(seenIn(range(0, 14)));
});
