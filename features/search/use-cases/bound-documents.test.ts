import { expect, test } from '@jest/globals';
import type { SearchIndex } from '#domain/ports/search/search-index.ts';
import { boundDocuments } from './bound-documents.ts';

test('old documents are removed seldom, and never forgotten', async () => {
  const trimmed: unknown[] = [];
  const searchIndex = { trim: async (...asked: unknown[]) => void trimmed.push(asked) } as unknown as SearchIndex;
  for (let i = 0; i < 10_000; i++)
    await boundDocuments({ searchIndex }, 'acme', { kind: 'incident', most: 5, put: [`COR-${i}`] });
  expect(trimmed.length).toBeGreaterThan(10);
  expect(trimmed.length).toBeLessThan(100);
  expect(trimmed[0]).toEqual(['acme', 'incident', 5]);
  trimmed.length = 0;
  await boundDocuments({ searchIndex }, 'acme', { kind: 'incident', most: 5, put: [] });
  expect(trimmed).toEqual([]);
});
