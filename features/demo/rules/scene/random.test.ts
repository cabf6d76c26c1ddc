import { describe, expect, test } from '@jest/globals';
import { seeded } from './random.ts';

const first = (seed: number | string, count = 5) => {
  const random = seeded(seed);
  return Array.from({ length: count }, () => random.next());
};

describe('seeded numbers', () => {
  test('are the same for one seed and others for another', () => {
    expect(first(7)).toEqual(first(7));
    expect(first(7)).not.toEqual(first(8));
  });

  test('a fork neither moves nor follows its parent', () => {
    const [one, two] = [seeded(7), seeded(7)];
    const fork = one.fork('a');
    fork.next();
    expect(one.next()).toBe(two.next());
    expect(one.fork('a').next()).toBe(two.fork('a').next());
    expect(one.fork('a').next()).not.toBe(one.fork('b').next());
  });

  test('lie evenly between their bounds', () => {
    const random = seeded(1);
    const counts = [0, 0, 0, 0, 0, 0];
    for (let n = 0; n < 6_000; n++) counts[random.whole(0, 5)]! += 1;
    for (const count of counts) expect(Math.abs(count - 1_000)).toBeLessThan(150);
    const gaps = Array.from({ length: 4_000 }, () => random.gap(60));
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(0);
    expect(gaps.reduce((sum, gap) => sum + gap) / gaps.length).toBeCloseTo(60, -1);
  });

  test('some are different ones in the order of the list', () => {
    const some = seeded(3).some(['a', 'b', 'c', 'd', 'e'], 3);
    expect(some).toHaveLength(3);
    expect(some).toEqual([...new Set(some)].sort());
    expect(seeded(3).some(['a'], 3)).toEqual(['a']);
    expect(() => seeded(3).pick([])).toThrow(RangeError);
  });
});
