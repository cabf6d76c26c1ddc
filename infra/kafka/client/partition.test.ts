import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { partitionOf } from './partition.ts';

describe('the partition of a tenant', () => {
  // Records are in these partitions: a change loses the order of every tenant.
  test.each([
    ['default', 24, 20],
    ['acme', 24, 10],
    ['acme', 12, 10],
    ['a', 24, 3],
    ['tenant-with-a-name-of-sixty-three-characters-which-is-the-most-ok', 24, 7],
  ])('%s of %d is %d for ever', (tenant, partitions, expected) => {
    expect(partitionOf(tenant, partitions)).toBe(expected);
  });

  test('lies within the partitions', () => {
    fc.assert(
      fc.property(fc.string(), fc.integer({ min: 1, max: 1_000 }), (tenant, partitions) => {
        const partition = partitionOf(tenant, partitions);
        expect(Number.isInteger(partition) && partition >= 0 && partition < partitions).toBe(true);
      }),
    );
  });

  test('spreads numbered tenants evenly', () => {
    const sizes = new Array<number>(24).fill(0);
    for (let i = 0; i < 24_000; i++) sizes[partitionOf(`tenant-${i}`, 24)]! += 1;
    expect(Math.min(...sizes)).toBeGreaterThan(850);
    expect(Math.max(...sizes)).toBeLessThan(1_150);
  });
});
