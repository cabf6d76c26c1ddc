import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { areasOf } from './treemap.ts';

const AREA = { x: 10, y: 20, width: 800, height: 500 };

test('areas are in proportion, within the whole, and do not overlap', () => {
  const weights = fc.array(fc.integer({ min: 1, max: 5_000 }), { minLength: 1, maxLength: 60 });
  fc.assert(
    fc.property(weights, (given) => {
      const sorted = given.toSorted((one, other) => other - one);
      const areas = areasOf(sorted, AREA);
      const total = sorted.reduce((all, weight) => all + weight, 0);
      for (const [i, { x, y, width, height }] of areas.entries()) {
        expect(width * height).toBeCloseTo(((sorted[i] ?? 0) / total) * 800 * 500, 3);
        expect(x).toBeGreaterThanOrEqual(AREA.x - 1e-6);
        expect(y).toBeGreaterThanOrEqual(AREA.y - 1e-6);
        expect(x + width).toBeLessThanOrEqual(AREA.x + AREA.width + 1e-6);
        expect(y + height).toBeLessThanOrEqual(AREA.y + AREA.height + 1e-6);
        for (const other of areas.slice(i + 1)) {
          const wide = Math.min(x + width, other.x + other.width) - Math.max(x, other.x);
          const high = Math.min(y + height, other.y + other.height) - Math.max(y, other.y);
          expect(wide > 1e-6 && high > 1e-6).toBe(false);
        }
      }
    }),
  );
});

test('equal ones are nearly square', () => {
  for (const { width, height } of areasOf(Array(40).fill(1), AREA))
    expect(Math.max(width / height, height / width)).toBeLessThan(2);
});
