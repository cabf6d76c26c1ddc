import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Page, PartRequest } from '#domain/page.ts';
import { mergedPage, type PagedList } from './merge-pages.ts';

/** A list of numbers in an order, whose cursor is the index where it continues. */
const listOf = (keys: readonly number[], order: 'asc' | 'desc'): PagedList<number> => {
  const sorted = [...keys].sort((a, b) => (order === 'asc' ? a - b : b - a));
  return {
    keyOf: (key) => key,
    async find({ limit, cursor }: PartRequest): Promise<Page<number>> {
      const from = cursor === undefined ? 0 : Number(cursor);
      const end = from + limit;
      const nextCursor = end < sorted.length ? String(end) : null;
      return { items: sorted.slice(from, end), total: sorted.length, nextCursor };
    },
  };
};

test('pages of several lists, one after the other, are all of them in their order', async () => {
  const keys = fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 12 });
  const lists = fc.array(keys, { minLength: 1, maxLength: 3 });
  await fc.assert(
    fc.asyncProperty(
      lists,
      fc.integer({ min: 1, max: 5 }),
      fc.constantFrom('asc', 'desc'),
      async (all, limit, order) => {
        const read = all.map((one) => listOf(one, order));
        const found: number[] = [];
        let cursor: string | null | undefined;
        while (cursor !== null) {
          const page: Page<number> = await mergedPage(
            read,
            order,
            cursor === undefined ? { limit } : { limit, cursor },
          );
          expect(page.total).toBe(all.flat().length);
          found.push(...page.items);
          cursor = page.nextCursor;
        }
        expect(found).toEqual(all.flat().sort((a, b) => (order === 'asc' ? a - b : b - a)));
      },
    ),
  );
});

test.each(['', 'x', btoa('[null]'), btoa('[1, 2]'), btoa('{}')])('%j is no cursor', async (cursor) => {
  const lists = [listOf([1], 'asc'), listOf([2], 'asc')];
  await expect(mergedPage(lists, 'asc', { limit: 1, cursor })).rejects.toThrow('cursor');
});
