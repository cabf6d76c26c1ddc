import { beforeEach, describe, expect, test } from '@jest/globals';
import type { ChangesPage, VersionChange } from '#domain/ports/topology/topology-history.ts';
import type { TopologyPorts } from '#domain/ports/topology/topology-ports.ts';
import { aCi, aRelationship, TENANT, topologyUnderTest } from './topology-samples.ts';

const told = (change: VersionChange): string => {
  const { at, before, after } = change;
  const version = (one: typeof before): string => (one === null ? '-' : `${one.id}.${one.revision}`);
  return `${at} ${version(before)} ${version(after)}${change.of === 'ci' ? ` ${change.by}` : ''}`;
};

export function changesContract(open: () => Promise<TopologyPorts>): void {
  let ports: TopologyPorts;
  beforeEach(async () => {
    ports = await open();
  });
  const { cis, join, named } = topologyUnderTest(() => ports);
  const area = (ci: string, hops: number, from: number, to: number, limit = 100) =>
    ports.history.area(TENANT, { ci, hops, from, to, limit });

  describe('tells which CIs lay around one', () => {
    /** Topology a – b – c – d, of which b – c ends at 300 and e joins b from 400 on. */
    beforeEach(async () => {
      await named('a', 'b', 'c', 'd', 'e', 'f');
      await join(
        aRelationship('1', 'a', 'b'),
        aRelationship('2', 'c', 'b', { createdAt: 200 }),
        aRelationship('3', 'c', 'd', { createdAt: 200 }),
        aRelationship('4', 'e', 'b', { createdAt: 400 }),
        aRelationship('5', 'a', 'f', { discoveredBy: 'ai' }),
      );
      await ports.relationships.remove(TENANT, '2', 300);
    });

    test.each([
      [1, 100, 900, 'a b'],
      [2, 100, 900, 'a b c e'],
      [3, 100, 900, 'a b c e d'],
      [3, 100, 199, 'a b'],
      [3, 300, 399, 'a b c d'],
      [3, 301, 399, 'a b'],
      [3, 301, 400, 'a b e'],
    ])('within %d hops from %d to %d: %s', async (hops, from, to, expected) => {
      expect(await area('a', hops, from, to)).toEqual({ ids: expected.split(' '), truncated: false });
    });

    test('the nearest first, at most so many, and of no other tenant', async () => {
      expect(await area('a', 3, 100, 900, 3)).toEqual({ ids: ['a', 'b', 'c'], truncated: true });
      expect(await area('x', 3, 100, 900)).toEqual({ ids: ['x'], truncated: false });
      const elsewhere = await ports.history.area('other', { ci: 'a', hops: 3, from: 100, to: 900, limit: 9 });
      expect(elsewhere.ids).toEqual(['a']);
    });
  });

  describe('tells what changed of CIs and among them', () => {
    beforeEach(async () => {
      await named('a', 'b', 'c');
      await join(aRelationship('1', 'a', 'b'), aRelationship('2', 'b', 'c'), aRelationship('3', 'a', 'c'));
      await cis(aCi('b', { name: 'b2', updatedAt: 200, revision: 2, updatedBy: 'ann' }));
      await join(aRelationship('1', 'a', 'b', { createdAt: 100, updatedAt: 250, confidence: 0.5, revision: 2 }));
      await ports.cis.remove(TENANT, 'b', 300, { by: 'bob', cascade: true });
      await cis(aCi('b', { name: 'again', createdAt: 300, updatedBy: 'cid' }));
    });
    const among = async (ids: readonly string[], from = 101, to = 900, page: Partial<ChangesPage> = {}) => {
      const found = await ports.history.changesAmong(TENANT, { ciIds: ids, from, to }, { limit: 9, ...page });
      return { ...found, items: found.items.map(told) };
    };
    const whole = ['300 1.2 -', '300 b.2 - bob', '300 - b.1 cid', '250 1.1 1.2', '200 b.1 b.2 ann'];

    test('newest first, with what was before', async () => {
      expect(await among(['a', 'b'])).toEqual({ items: whole, total: 5, nextCursor: null });
      expect((await among(['a', 'b', 'c'], 300)).items).toEqual(['300 2.1 -', ...whole.slice(0, 3)]);
      expect((await among(['a'], 100, 100)).items).toEqual(['100 - a.1 tester']);
      expect((await among(['a', 'c'], 100, 100)).items).toEqual(['100 - 3.1', '100 - c.1 tester', '100 - a.1 tester']);
    });

    test('within the range, whole records, and nothing of another tenant', async () => {
      expect((await among(['a', 'b'], 201, 299)).items).toEqual(['250 1.1 1.2']);
      const { items } = await ports.history.changesAmong(
        TENANT,
        { ciIds: ['a', 'b'], from: 250, to: 250 },
        { limit: 1 },
      );
      expect(items).toEqual([
        {
          of: 'relationship',
          at: 250,
          before: aRelationship('1', 'a', 'b'),
          after: aRelationship('1', 'a', 'b', { createdAt: 100, updatedAt: 250, confidence: 0.5, revision: 2 }),
        },
      ]);
      const range = { ciIds: ['a', 'b'], from: 0, to: 900 };
      expect((await ports.history.changesAmong('other', range, { limit: 9 })).total).toBe(0);
    });

    test('page by page, by number or by cursor', async () => {
      const seen: string[] = [];
      let cursor: string | null = null;
      for (let n = 0; n < 5; n++) {
        const page = await among(['a', 'b'], 101, 900, { limit: 1, ...(cursor !== null && { cursor }) });
        expect(await among(['a', 'b'], 101, 900, { limit: 1, offset: n })).toMatchObject({ items: page.items });
        seen.push(...page.items);
        cursor = page.nextCursor;
      }
      expect([seen, cursor]).toEqual([whole, null]);
      for (const wrong of [
        'nonsense',
        Buffer.from('[1]').toString('base64url'),
        Buffer.from('null').toString('base64url'),
      ])
        await expect(among(['a'], 0, 900, { cursor: wrong })).rejects.toMatchObject({ kind: 'invalid' });
    });

    test('and which relationships were removed, in their last version', async () => {
      const removed = async (from: number, to: number, limit = 9, tenant = TENANT) =>
        (await ports.history.removed(tenant, { from, to, limit })).map((one) => [one.at, one.relationship.id]);
      await ports.relationships.remove(TENANT, '3', 400);
      expect(await removed(101, 900)).toEqual([
        [400, '3'],
        [300, '2'],
        [300, '1'],
      ]);
      expect([await removed(101, 900, 1), await removed(301, 399), await removed(101, 900, 9, 'other')]).toEqual([
        [[400, '3']],
        [],
        [],
      ]);
      const all = await ports.history.removed(TENANT, { from: 101, to: 900, limit: 9 });
      const last = { source: 'a', target: 'b', createdAt: 100, confidence: 0.5, revision: 2 };
      expect(all.at(-1)?.relationship).toMatchObject(last);
    });

    test('and how CIs are called, or were last', async () => {
      await cis(aCi('c', { name: 'c2', updatedAt: 400, revision: 2 }));
      await ports.cis.remove(TENANT, 'c', 500, { cascade: true });
      const names = await ports.history.lastNames(TENANT, ['a', 'b', 'c', 'x']);
      expect(Object.fromEntries(names)).toEqual({ a: 'a', b: 'again', c: 'c2' });
      expect((await ports.history.lastNames('other', ['a'])).size).toBe(0);
    });
  });
}
