import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { dueGroups, watchGroup } from './group-memory.ts';
import type { DueGroup } from './groups.ts';

const watched = (lasts: readonly number[]) => {
  const heap: DueGroup[] = [];
  for (const [i, last] of lasts.entries()) watchGroup(heap, last, `g${i}`);
  return heap;
};

describe('dueGroups', () => {
  test('names what is strictly earlier, and names it again when asked again', () => {
    const last = (id: string) => [30, 10, 20][Number(id.slice(1))]!;
    const heap = watched([30, 10, 20]);
    expect(dueGroups(heap, 10, last)).toEqual([]);
    expect(dueGroups(heap, 21, last)).toEqual(['g1', 'g2']);
    expect(dueGroups(heap, 21, last)).toEqual(['g1', 'g2']);
    expect(dueGroups(heap, 31, last)).toEqual(['g0', 'g1', 'g2']);
  });

  test('a group that has grown is due by its newest member, one that is gone never', () => {
    const heap = watched([1, 2, 3]);
    const lasts: Record<string, number | null> = { g0: 50, g1: null, g2: 3 };
    const lastOf = (id: string) => lasts[id] ?? null;
    expect(dueGroups(heap, 10, lastOf)).toEqual(['g2']);
    expect(dueGroups(heap, 60, lastOf)).toEqual(['g0', 'g2']);
    expect(heap).toHaveLength(2);
  });

  test('agrees with a search through all groups', () => {
    const group = fc.record({ key: fc.nat(100), growth: fc.nat(50), gone: fc.boolean() });
    fc.assert(
      fc.property(fc.array(group), fc.array(fc.nat(150), { maxLength: 5 }), (groups, times) => {
        const heap = watched(groups.map(({ key }) => key));
        const lastOf = (id: string) => {
          const { key, growth, gone } = groups[Number(id.slice(1))]!;
          return gone ? null : key + growth;
        };
        for (const before of times) {
          const expected = groups.flatMap(({ key, growth, gone }, i) =>
            !gone && key + growth < before ? [`g${i}`] : [],
          );
          expect(dueGroups(heap, before, lastOf)).toEqual(expected.sort());
        }
      }),
    );
  });
});
