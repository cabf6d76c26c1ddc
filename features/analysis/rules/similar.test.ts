import { describe, expect, test } from '@jest/globals';
import { likenessOf } from './similar.ts';

const DAY = 86_400_000;
const shape = (signatures: string, cis: string, size = 3) => ({
  signatures: new Set(signatures.split('')),
  cis: new Set(cis.split('')),
  services: new Set(['shop']),
  size,
});

describe('Two incidents are the more alike', () => {
  const one = shape('abc', 'xyz');
  test.each([
    ['the more problems they share', shape('abc', 'pqr'), shape('ade', 'pqr')],
    ['the more CIs they share', shape('abc', 'xyz'), shape('abc', 'xqr')],
    ['the more alike they are in size', shape('abc', 'xyz', 3), shape('abc', 'xyz', 30)],
  ])('%s', (_, more, less) => expect(likenessOf(one, more, 0)).toBeGreaterThan(likenessOf(one, less, 0)));

  test('the nearer they are in time', () => {
    expect(likenessOf(one, one, 120 * DAY)).toBeCloseTo(likenessOf(one, one, 0) / 2, 5);
    expect(likenessOf(one, one, 0)).toBeCloseTo(1, 5);
  });
});
