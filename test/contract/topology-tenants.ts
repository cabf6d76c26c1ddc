import { beforeEach, expect, test } from '@jest/globals';
import type { TopologyStore } from '#domain/ports/topology-store.ts';
import { aCi, aRelationship, topologyUnderTest } from './topology-samples.ts';

const FIRST_PAGE = { sort: 'name', order: 'asc', limit: 10 } as const;
const OLDEST = { sort: 'created_at', order: 'asc', limit: 10 } as const;

export function tenantsContract(open: () => Promise<TopologyStore>): void {
  let store: TopologyStore;
  beforeEach(async () => {
    store = await open();
  });
  const { around, join, named } = topologyUnderTest(() => store);

  test('keeps tenants apart', async () => {
    await named('a', 'b');
    await join(aRelationship('r', 'a', 'b'));
    const other = 'other';
    expect(await store.getCis(other, ['a'])).toEqual([]);
    expect(await store.getCis(other, ['a'], 9_000)).toEqual([]);
    expect(await store.getRelationship(other, 'r')).toBeNull();
    expect(await store.findCis(other, {}, FIRST_PAGE)).toEqual({ items: [], total: 0, nextCursor: null });
    expect((await store.findRelationships(other, { includeAi: true }, OLDEST)).total).toBe(0);
    expect((await store.findRelationships(other, { includeAi: true, ci: 'a' }, OLDEST)).total).toBe(0);
    expect((await store.bind(other, [{ ciId: 'a', hostname: 'a' }]))[0]).toEqual({
      ci: null,
      method: null,
      ambiguous: false,
    });
    expect(await store.around(other, 'a', 9_000)).toBeNull();
    expect(await store.path(other, 'a', 'b', { maxHops: 3, direction: 'both' })).toBeNull();
    await expect(store.neighbourhood(other, 'a', { hops: 1, direction: 'both', limit: 9 })).rejects.toMatchObject({
      kind: 'not-found',
    });
    expect(await store.count(other)).toBe(0);
    expect(await store.removeRelationship(other, 'r', 200)).toBeNull();
    expect(await store.removeCi(other, 'a', 200)).toBeNull();
    await store.putCis(other, [aCi('a', { tenant: other }), aCi('z', { tenant: other })]);
    await expect(
      store.putRelationships(other, [aRelationship('r', 'a', 'b', { tenant: other })]),
    ).rejects.toMatchObject({ kind: 'invalid' });
    expect((await around('a')).all).toBe(2);
  });
}
