import { beforeEach, expect, test } from '@jest/globals';
import type { TopologyPorts } from '#domain/ports/topology/topology-ports.ts';
import { aCi, aRelationship, topologyUnderTest } from './topology-samples.ts';

const FIRST_PAGE = { sort: 'name', order: 'asc', limit: 10 } as const;
const OLDEST = { sort: 'created_at', order: 'asc', limit: 10 } as const;

export function tenantsContract(open: () => Promise<TopologyPorts>): void {
  let ports: TopologyPorts;
  beforeEach(async () => {
    ports = await open();
  });
  const { around, join, named } = topologyUnderTest(() => ports);

  test('keeps tenants apart', async () => {
    await named('a', 'b');
    await join(aRelationship('r', 'a', 'b'));
    const other = 'other';
    expect(await ports.topology.getCis(other, ['a'])).toEqual([]);
    expect(await ports.topology.getCis(other, ['a'], 9_000)).toEqual([]);
    expect(await ports.topology.getRelationship(other, 'r')).toBeNull();
    expect(await ports.topology.findCis(other, {}, FIRST_PAGE)).toEqual({ items: [], total: 0, nextCursor: null });
    expect((await ports.topology.findRelationships(other, { includeAi: true }, OLDEST)).total).toBe(0);
    expect((await ports.topology.findRelationships(other, { includeAi: true, ci: 'a' }, OLDEST)).total).toBe(0);
    expect((await ports.matcher.bind(other, [{ ciId: 'a', hostname: 'a' }]))[0]).toEqual({
      ci: null,
      method: null,
      ambiguous: false,
    });
    expect(await ports.graph.around(other, 'a', 9_000)).toBeNull();
    expect(await ports.graph.path(other, 'a', 'b', { maxHops: 3, direction: 'both' })).toBeNull();
    await expect(ports.graph.neighbourhood(other, 'a', { hops: 1, direction: 'both', limit: 9 })).rejects.toMatchObject(
      { kind: 'not-found' },
    );
    expect(await ports.counts.cis(other)).toBe(0);
    expect(await ports.relationships.remove(other, 'r', 200)).toBeNull();
    expect(await ports.cis.remove(other, 'a', 200)).toBeNull();
    await ports.cis.put(other, [aCi('a', { tenant: other }), aCi('z', { tenant: other })]);
    await expect(
      ports.relationships.put(other, [aRelationship('r', 'a', 'b', { tenant: other })]),
    ).rejects.toMatchObject({ kind: 'invalid' });
    expect((await around('a')).all).toBe(2);
  });
}
