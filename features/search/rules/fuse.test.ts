import { expect, test } from '@jest/globals';
import type { SearchRef } from '#domain/search/document.ts';
import { fuse } from './fuse.ts';

const ranking = (...ids: readonly string[]): SearchRef[] => ids.map((id) => ({ kind: 'complaint', id }));

test('what both rankings have comes before what one of them has, and places count', () => {
  const fused = fuse(ranking('a', 'b', 'c'), ranking('d', 'b', 'c'));
  expect(fused.map(({ id }) => id)).toEqual(['b', 'c', 'a', 'd']);
  expect(fused[0]?.score).toBeCloseTo(2 / 62, 10);
  expect(fused[2]?.score).toBeCloseTo(1 / 61, 10);
});

test('one ranking stays as it is, and nothing is nothing', () => {
  expect(fuse(ranking('a', 'b'), []).map(({ id }) => id)).toEqual(['a', 'b']);
  expect(fuse([], [])).toEqual([]);
});
