import { beforeEach, describe, expect, test } from '@jest/globals';
import type { NeighbourhoodOptions, PathOptions } from '#domain/ports/topology/graph-queries.ts';
import type { TopologyPorts } from '#domain/ports/topology/topology-ports.ts';
import { aCi, aRelationship, TENANT, topologyUnderTest } from './topology-samples.ts';

export function peopleContract(open: () => Promise<TopologyPorts>): void {
  let ports: TopologyPorts;
  beforeEach(async () => {
    ports = await open();
  });
  const { cis, join } = topologyUnderTest(() => ports);

  describe('answers people', () => {
    beforeEach(async () => {
      await cis(aCi('a'), aCi('b', { name: 'Bee', type: 'switch' }), aCi('c'), aCi('d'));
      await join(
        aRelationship('1', 'a', 'b', { createdAt: 100 }),
        aRelationship('2', 'b', 'c', { createdAt: 200, type: 'uses' }),
        aRelationship('3', 'a', 'c', { createdAt: 300, type: 'peers_with' }),
      );
    });
    const neighbourhood = (ci: string, options: Partial<NeighbourhoodOptions> = {}) =>
      ports.graph.neighbourhood(TENANT, ci, { hops: 1, direction: 'both', limit: 100, ...options });
    const way = (from: string, to: string, options: Partial<PathOptions> = {}) =>
      ports.graph.path(TENANT, from, to, { maxHops: 6, direction: 'both', ...options });

    test('neighbours with name and type, and every edge between those shown', async () => {
      const found = await neighbourhood('a');
      expect(found.nodes).toEqual([
        { ci: 'b', hops: 1, via: 'a', name: 'Bee', type: 'switch' },
        { ci: 'c', hops: 1, via: 'a', name: 'c', type: 'server' },
      ]);
      expect(found.edges.map(({ id }) => id).sort()).toEqual(['1', '2', '3']);
      expect(found.truncated).toBe(false);
    });

    test('direction, types, limit and time narrow it', async () => {
      const ids = async (...args: Parameters<typeof neighbourhood>) =>
        (await neighbourhood(...args)).nodes.map(({ ci }) => ci);
      expect(await ids('b', { direction: 'up' })).toEqual(['c']);
      expect(await ids('b', { direction: 'down' })).toEqual(['a']);
      expect(await ids('a', { hops: 2, types: ['depends_on', 'uses'] })).toEqual(['b', 'c']);
      expect(await ids('a', { hops: 2, types: ['no_such_type'] })).toEqual([]);
      expect(await neighbourhood('a', { limit: 1 })).toMatchObject({
        nodes: [{ ci: 'b' }],
        edges: [{ id: '1' }],
        truncated: true,
      });
      expect(await ids('a', { hops: 2, asOf: 150 })).toEqual(['b']);
      expect((await neighbourhood('a', { hops: 2, asOf: 250 })).edges.map(({ id }) => id).sort()).toEqual(['1', '2']);
    });

    test('an unknown CI, or one that was not there yet, is not found', async () => {
      await expect(neighbourhood('x')).rejects.toMatchObject({ kind: 'not-found' });
      await expect(neighbourhood('a', { asOf: 50 })).rejects.toMatchObject({ kind: 'not-found' });
    });

    test('a shortest way', async () => {
      expect(await way('a', 'c')).toEqual(['a', 'c']);
      expect(await way('a', 'c', { types: ['depends_on', 'uses'] })).toEqual(['a', 'b', 'c']);
      expect(await way('a', 'c', { types: ['depends_on', 'uses'], maxHops: 1 })).toBeNull();
      expect(await way('c', 'a', { direction: 'up' })).toBeNull();
      expect(await way('c', 'a', { direction: 'down', types: ['uses', 'depends_on'] })).toEqual(['c', 'b', 'a']);
      expect(await way('a', 'c', { asOf: 250 })).toEqual(['a', 'b', 'c']);
      expect(await way('a', 'd')).toBeNull();
      expect(await way('a', 'x')).toBeNull();
      expect(await way('a', 'a')).toEqual(['a']);
    });
  });
}
