import { describe, expect, test } from '@jest/globals';
import { SEARCH_KINDS, type SearchDocument } from '#domain/search/document.ts';
import { matchedIn } from '#features/search/rules/matched.ts';
import { prepared } from '#features/search/rules/prepared.ts';
import { readSearch } from '#features/search/rules/read-search.ts';
import { openSearchIndex } from '#infra/embedded/search-index.ts';
import { openEmbedded } from '#test/setup/embedded.ts';
import { findLexical } from './find-lexical.ts';

const document = (kind: SearchDocument['kind'], title: string, text = ''): SearchDocument =>
  prepared({ kind, id: title, title, text, at: 100 });

const DOCUMENTS = [
  document('complaint', 'UPS input: power feed lost, output off', 'ams2-ups-b, nagios'),
  document('complaint', 'High swap space usage (less than 50% free)', 'ams2-search-01'),
  document('incident', 'Out of memory: kernel killed process java', 'search is down'),
  document('ci', 'dub3-stage-02', 'virtual_machine'),
  document('complaint', '/var/lib/postgresql: Disk space is critically low (used > 95%)', 'fra1-db-01'),
  // Short, and mentions what it is not about.
  document('incident', 'p99 latency of storefront is above 2s', '/: Disk space is low (used > 80%)'),
  document(
    'incident',
    '/var/lib/postgresql: Disk space is critically low (used > 95%)',
    [
      '"/var/lib/postgresql: Disk space is critically low" on fra1-db-01 is probably the cause: it explains 8 CIs.',
      ...Array.from({ length: 20 }, (_, n) => `p99 latency of application-${n} is above 2s`),
    ].join('\n'),
  ),
];

async function found(text: string) {
  const { database, reader, close } = openEmbedded('memory');
  const searchIndex = openSearchIndex(database, reader);
  await searchIndex.put('acme', DOCUMENTS);
  const read = readSearch(text);
  const { hits, strange } = await findLexical({ searchIndex }, 'acme', read, { kinds: SEARCH_KINDS, limit: 20 });
  await database.endWriter();
  await close();
  return {
    strange,
    titles: hits.map(({ document: { kind, title } }) => `${kind}: ${title}`),
    matched: hits.map((hit) => matchedIn(hit.document, read, strange)),
  };
}

describe('A search by words', () => {
  test('for a power outage finds the lost power, and nothing about usage or stages', async () => {
    const { strange, titles, matched } = await found('power outage');
    expect(strange).toEqual([]);
    expect(titles[0]).toMatch(/^complaint: UPS input/);
    expect(titles.join()).not.toMatch(/swap|stage/);
    // The word and the concept of the same name are one.
    expect(matched[0]).toEqual(['power']);
  });

  test('for a full disk puts what is about it before what mentions it', async () => {
    const { titles } = await found('disk full');
    expect(titles.slice(0, 2).sort()).toEqual([
      'complaint: /var/lib/postgresql: Disk space is critically low (used > 95%)',
      'incident: /var/lib/postgresql: Disk space is critically low (used > 95%)',
    ]);
    expect(titles[2]).toBe('incident: p99 latency of storefront is above 2s');
  });

  test('takes a word that nobody knows for the one that is meant, and leaves the others as they are', async () => {
    const { strange, titles, matched } = await found('postgersql usage');
    expect(strange).toEqual(['postgersql']);
    expect(titles).toHaveLength(3);
    expect(matched.flat()).toEqual(expect.arrayContaining(['postgersql', 'usage']));
  });
});
