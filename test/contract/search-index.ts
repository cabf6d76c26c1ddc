import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { SearchIndex, SearchQuery } from '#domain/ports/search/search-index.ts';
import { SEARCH_KINDS, type SearchDocument, type SearchKind } from '#domain/search/document.ts';
import type { Opened } from './opened.ts';

const document = (id: string, title: string, changes: Partial<SearchDocument> = {}): SearchDocument => ({
  kind: 'complaint',
  id,
  title,
  text: '',
  keywords: [],
  concepts: [],
  at: 100,
  facts: {},
  ...changes,
});
const asked = (changes: Partial<SearchQuery>): SearchQuery => ({
  words: [],
  kinds: SEARCH_KINDS,
  limit: 10,
  ...changes,
});

const foundIn = async (index: SearchIndex, changes: Partial<SearchQuery>, tenant = 'acme'): Promise<string[]> =>
  (await index.search(tenant, asked(changes))).map((hit) => hit.document.id);

/** Searches among constant documents. */
function findsContract(name: string, open: () => Promise<Opened<SearchIndex>>): void {
  describe(`${name} finds documents`, () => {
    let index: SearchIndex;
    let close: () => Promise<void>;
    beforeAll(async () => {
      ({ store: index, close } = await open());
      await index.put('acme', [
        document('space', 'No space left on device', { concepts: ['disk-full'], at: 1 }),
        document('full', 'Disk full', { concepts: ['disk-full', 'x'], at: 300 }),
        document('slow', 'Disk of db-01 is slow', { at: 2 }),
        document('raid', 'A disk of the RAID is degraded', { text: 'Check the backup first', at: 3 }),
        document('01', 'db on 01 restarted', { at: 4 }),
        document('ja', '日本語のエラー', { text: 'ｴﾗｰ 503', at: 5 }),
        document('de', 'Sperrung der Straße', { text: 'Smørrebrød', at: 6 }),
      ]);
    });
    afterAll(() => close());

    test.each<[string, Partial<SearchQuery>, string[]]>([
      ['a word', { words: ['space'] }, ['space']],
      ['another form of the word', { words: ['spaces', 'leaving'] }, ['space']],
      ['a word of the text', { words: ['backups'] }, ['raid']],
      ['any of the words, the rare and the many first', { words: ['disk', 'raid'] }, ['raid', 'full', 'slow']],
      ['a name as a whole', { words: ['db-01'] }, ['slow']],
      ['no part of a word', { words: ['dis'] }, []],
      ['capitals and accents', { words: ['DÍSK', 'slów'] }, ['slow', 'full', 'raid']],
      ['letters of a script without blanks', { words: ['エラー'] }, ['ja']],
      ['the same as a phrase', { phrases: ['日本語'] }, ['ja']],
      ['not letters that stand apart', { words: ['エー'] }, []],
      ['letters as others write them', { words: ['strasse'] }, ['de']],
      ['the same as they are', { words: ['STRAẞE'] }, ['de']],
      ['letters of the text as others write them', { words: ['smorrebrod'] }, ['de']],
      ['a concept', { concepts: ['disk-full'] }, ['full', 'space']],
      ['words or concepts', { words: ['slow'], concepts: ['disk-full'] }, ['slow', 'full', 'space']],
      ['a phrase', { words: [], phrases: ['disk full'] }, ['full']],
      ['a phrase that the words must come with', { words: ['disk'], phrases: ['is degraded'] }, ['raid']],
      ['phrases, all of them', { phrases: ['disk full', 'raid'] }, []],
      ['nothing', { words: ['" OR *', '--'], phrases: ['!'] }, []],
      ['nothing at all', {}, []],
    ])('finds %s', async (_name, query, expected) => {
      const ids = await foundIn(index, query);
      expect([...ids].sort()).toEqual([...expected].sort());
      if (/first/.test(_name)) expect(ids[0]).toBe(expected[0]);
    });

    test.each([
      ['postgers', 'Postgres refuses connections', true],
      ['conection', 'Postgres refuses the connection', true],
      ['dsik', 'Disk full', true],
      ['disk', 'Disk full', true],
      ['ruoter', 'Router down', true],
      ['xyzzy', 'Router down', false],
      ['router9', 'Router down', false],
      // Another word, however near.
      ['outage', 'High swap usage', false],
      ['outage', 'The stage is set', false],
      ['lost', 'Host unreachable', false],
      ['elasticsaerhc', 'Elasticsearch is red', true],
    ])('%s may be meant by who looks for: %s', async (word, title, isMeant) => {
      await index.put(word, [document('1', title), document('2', 'Something else')]);
      expect(await foundIn(index, { words: [word], alike: [word] }, word)).toEqual(isMeant ? ['1'] : []);
      if (word !== 'disk') expect(await foundIn(index, { words: [word] }, word)).toEqual([]);
    });
  });
}

export function searchIndexContract(name: string, open: () => Promise<Opened<SearchIndex>>): void {
  findsContract(name, open);
  describe(`${name} keeps the SearchIndex contract`, () => {
    let index: SearchIndex;
    let close: () => Promise<void>;
    beforeEach(async () => {
      ({ store: index, close } = await open());
    });
    afterEach(() => close());

    const put = (...documents: readonly SearchDocument[]) => index.put('acme', documents);
    const found = (changes: Partial<SearchQuery>, tenant?: string) => foundIn(index, changes, tenant);
    const tagged = async (
      keywords: readonly string[],
      kinds: readonly SearchKind[] = SEARCH_KINDS,
    ): Promise<string[]> => (await index.tagged('acme', { keywords, kinds, limit: 10 })).map((hit) => hit.document.id);

    test('gives back what was put, at once', async () => {
      const full = document('1', 'Disk full', {
        text: 'The volume /var',
        keywords: ['port80'],
        concepts: ['disk-full'],
        facts: { events: ['E1'], n: 1 },
      });
      await put(full, document('2', 'Link down'));
      expect(await index.get('acme', [full, { kind: 'complaint', id: '9' }])).toEqual([full]);
      expect((await index.search('acme', asked({ words: ['disk'] })))[0]?.document).toEqual(full);
      expect(
        (await index.tagged('acme', { keywords: ['port80'], kinds: SEARCH_KINDS, limit: 1 }))[0]?.document,
      ).toEqual(full);
    });

    test('a second put replaces the first', async () => {
      await put(document('1', 'Disk full', { keywords: ['port80', 'port81'], concepts: ['disk-full'] }));
      await put(document('1', 'Link down', { keywords: ['port81', 'port82'], concepts: ['link-down'], at: 200 }));
      expect(await found({ words: ['disk', 'full'] })).toEqual([]);
      expect(await found({ words: ['link'] })).toEqual(['1']);
      expect([await found({ words: [], concepts: ['disk-full'] }), await found({ concepts: ['link-down'] })]).toEqual([
        [],
        ['1'],
      ]);
      expect([await tagged(['port80']), await tagged(['port81']), await tagged(['port82'])]).toEqual([
        [],
        ['1'],
        ['1'],
      ]);
      expect((await index.list('acme', { kind: 'complaint', limit: 9 })).documents).toHaveLength(1);
    });

    test('what stands in the title is better than what stands in the text', async () => {
      await put(
        document('text', 'Something else happened', { text: 'memory' }),
        document('title', 'Memory is what it is about'),
      );
      expect(await found({ words: ['memory'] })).toEqual(['title', 'text']);
    });

    test('only the words that may have typing errors are taken for others', async () => {
      await put(document('1', 'Disk full'), document('2', 'Router down'));
      expect(await found({ words: ['dsik', 'ruoter'], alike: ['dsik'] })).toEqual(['1']);
    });

    test('only the kinds that are asked for, at most so many', async () => {
      await put(
        ...SEARCH_KINDS.map((kind) => document(kind, 'Shop is down', { kind, keywords: ['port80'] })),
        document('other', 'Shop is down', { kind: 'ci', at: 200, keywords: ['port80', 'port443'] }),
      );
      expect((await found({ words: ['shop'] })).length).toBe(SEARCH_KINDS.length + 1);
      expect(await found({ words: ['shop'], kinds: ['service'] })).toEqual(['service']);
      expect(await found({ words: ['shop'], kinds: [] })).toEqual([]);
      expect((await found({ words: ['shop'], limit: 2 })).length).toBe(2);
      expect(await tagged(['port80', 'port443'], ['ci'])).toEqual(['other', 'ci']);
      expect(await tagged(['port8'], ['ci'])).toEqual([]);
      expect(await tagged([], ['ci'])).toEqual([]);
    });

    test('of equal ones the newer first', async () => {
      await put(document('old', 'Fan failed', { at: 1 }), document('new', 'Fan failed', { at: 2 }));
      expect(await found({ words: ['fan'] })).toEqual(['new', 'old']);
      await put(document('old', 'Fan failed', { at: 3 }));
      expect(await found({ words: ['fan'] })).toEqual(['old', 'new']);
    });

    test('lists a kind part by part, newest first', async () => {
      await put(...[3, 1, 2, 2].map((at, n) => document(`d${n}`, 'x', { at })), document('ci', 'x', { kind: 'ci' }));
      const ids: string[][] = [];
      let after: string | null = null;
      do {
        const part = await index.list('acme', { kind: 'complaint', limit: 3, ...(after !== null && { after }) });
        ids.push(part.documents.map(({ id }) => id));
        after = part.next;
      } while (after !== null);
      expect(ids).toEqual([['d0', 'd3', 'd2'], ['d1']]);
      expect(await index.list('other', { kind: 'complaint', limit: 3 })).toEqual({ documents: [], next: null });
    });

    test('removes documents with all that they were found by', async () => {
      await put(document('1', 'Disk full', { keywords: ['port80'], concepts: ['disk-full'] }), document('2', 'Disk'));
      await index.remove('acme', [
        { kind: 'complaint', id: '1' },
        { kind: 'ci', id: '2' },
        { kind: 'ci', id: 'unknown' },
      ]);
      expect(await index.get('acme', [{ kind: 'complaint', id: '1' }])).toEqual([]);
      expect([await found({ words: ['disk'], concepts: ['disk-full'] }), await tagged(['port80'])]).toEqual([
        ['2'],
        [],
      ]);
      await put(document('1', 'Back again'));
      expect(await found({ words: ['again'] })).toEqual(['1']);
    });

    test('trims the oldest of a kind', async () => {
      await put(
        ...[5, 4, 3, 2, 1].map((at) => document(`${at}`, 'Fan failed', { at })),
        document('ci', 'Fan', { kind: 'ci', at: 0 }),
      );
      await index.trim('acme', 'complaint', 5);
      expect((await found({ words: ['fan'] })).length).toBe(6);
      await index.trim('acme', 'complaint', 2);
      expect((await found({ words: ['fan'] })).sort()).toEqual(['4', '5', 'ci']);
    });

    test('a foreign tenant finds, changes and removes nothing', async () => {
      await put(document('1', 'Disk full', { keywords: ['port80'], concepts: ['disk-full'] }));
      await index.put('acme-2', [document('1', 'Disk gone')]);
      for (const tenant of ['other', 'acm', 'acme2']) {
        expect(await found({ words: ['disk', 'dsik'], concepts: ['disk-full'], alike: ['dsik'] }, tenant)).toEqual([]);
        expect(await index.get(tenant, [{ kind: 'complaint', id: '1' }])).toEqual([]);
        expect(await index.tagged(tenant, { keywords: ['port80'], kinds: SEARCH_KINDS, limit: 9 })).toEqual([]);
        await index.remove(tenant, [{ kind: 'complaint', id: '1' }]);
        await index.trim(tenant, 'complaint', 0);
      }
      expect(await found({ words: ['full'] })).toEqual(['1']);
      expect(await found({ words: ['gone'] }, 'acme-2')).toEqual(['1']);
    });
  });
}
