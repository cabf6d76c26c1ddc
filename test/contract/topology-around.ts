import { beforeEach, describe, expect, test } from '@jest/globals';
import type { TopologyPorts } from '#domain/ports/topology/topology-ports.ts';
import { aRelationship, TENANT, topologyUnderTest } from './topology-samples.ts';

export function aroundContract(open: () => Promise<TopologyPorts>): void {
  let ports: TopologyPorts;
  beforeEach(async () => {
    ports = await open();
  });
  const { around, join, named } = topologyUnderTest(() => ports);

  describe('knows what lies around a CI', () => {
    test('source depends_on target: the target is upstream', async () => {
      await named('app', 'db', 'host');
      await join(aRelationship('1', 'app', 'db'), aRelationship('2', 'db', 'host', { type: 'runs_on' }));
      expect(await around('app')).toMatchObject({
        above3: 2,
        below3: 0,
        all: 3,
        degree: 1,
        reach2: 2,
        reach3: 2,
        hasRelationships: true,
      });
      expect((await around('app')).chain).toEqual([
        { ci: 'db', hops: 1, via: 'app' },
        { ci: 'host', hops: 2, via: 'db' },
      ]);
      expect(await around('host')).toMatchObject({ above3: 0, below3: 2, chain: [], upstream: [] });
    });

    test('a dependency chain does not zigzag', async () => {
      await named('app1', 'app2', 'db', 'store');
      await join(
        aRelationship('1', 'app1', 'db'),
        aRelationship('2', 'app2', 'db'),
        aRelationship('3', 'app2', 'store'),
      );
      expect((await around('app1')).chain.map(({ ci }) => ci)).toEqual(['db']);
      expect((await around('app1')).near.map(({ ci, hops }) => [ci, hops])).toEqual([
        ['db', 1],
        ['app2', 2],
        ['store', 3],
      ]);
    });

    test('power and place are causes but no dependencies; unknown types are near alone', async () => {
      await named('a', 'pdu', 'rack', 'peer');
      await join(
        aRelationship('1', 'a', 'pdu', { type: 'powered_by' }),
        aRelationship('2', 'pdu', 'rack', { type: 'located_in' }),
        aRelationship('3', 'a', 'peer', { type: 'peers_with' }),
      );
      const found = await around('a');
      expect(found.upstream.map(({ ci, hops }) => [ci, hops])).toEqual([
        ['pdu', 1],
        ['rack', 2],
      ]);
      expect(found).toMatchObject({ above3: 0, chain: [], degree: 2 });
      expect(found.near.map(({ ci }) => ci)).toEqual(['pdu', 'peer', 'rack']);
    });

    test('what a CI is a part of, each once, and how many parts that has', async () => {
      await named('shop', 'shop-0', 'shop-1', 'host', 'cluster', 'zone');
      await join(
        aRelationship('1', 'shop-0', 'shop', { type: 'member_of' }),
        aRelationship('2', 'shop-1', 'shop', { type: 'instance_of' }),
        aRelationship('3', 'shop-0', 'host', { type: 'hosted_on' }),
        aRelationship('4', 'shop-0', 'host', { type: 'runs_on' }),
        aRelationship('5', 'cluster', 'shop-0', { type: 'contains' }),
        aRelationship('6', 'shop-0', 'zone', { type: 'depends_on' }),
        aRelationship('7', 'shop', 'shop-0', { type: 'depends_on' }),
      );
      expect((await around('shop-0')).wholes).toEqual([
        { ci: 'cluster', parts: 1 },
        { ci: 'host', parts: 1 },
        { ci: 'shop', parts: 2 },
      ]);
      expect((await around('shop')).wholes ?? []).toEqual([]);
    });

    test('at most eight of them, by id', async () => {
      const wholes = Array.from({ length: 10 }, (_, n) => `w${n}`);
      await named('part', ...wholes);
      await join(...wholes.map((id) => aRelationship(`r-${id}`, 'part', id, { type: 'part_of' })));
      expect((await around('part')).wholes!.map(({ ci }) => ci)).toEqual(wholes.slice(0, 8));
    });

    test('critical hops are counted over critical edges alone', async () => {
      await named('a', 'b', 'c', 'd', 'e');
      const critical = { attributes: { criticality: 'high' } };
      await join(
        aRelationship('1', 'a', 'b', critical),
        aRelationship('2', 'c', 'b', { attributes: { criticality: 'critical' } }),
        aRelationship('3', 'c', 'd', critical),
        aRelationship('4', 'a', 'd', { attributes: { criticality: 'low' } }),
        aRelationship('5', 'd', 'e', critical),
      );
      expect((await around('a')).near.map((near) => [near.ci, near.hops, near.criticalHops])).toEqual([
        ['b', 1, 1],
        ['d', 1, 3],
        ['c', 2, 2],
        ['e', 2, 0],
      ]);
    });

    test('upstream reaches 6 hops, chains and neighbours 3', async () => {
      const ids = ['0', '1', '2', '3', '4', '5', '6', '7'];
      await named(...ids);
      await join(...ids.slice(1).map((id, i) => aRelationship(`r${i}`, ids[i]!, id)));
      const found = await around('0');
      expect(found.upstream.map(({ hops }) => hops)).toEqual([1, 2, 3, 4, 5, 6]);
      expect([found.chain.length, found.near.length]).toEqual([3, 3]);
    });

    test('the nearest 256 neighbours, ties by id, and the true counts', async () => {
      const hosts = Array.from({ length: 300 }, (_, i) => `h${String(i).padStart(3, '0')}`);
      await named('hub', ...hosts);
      await join(...[...hosts].reverse().map((id) => aRelationship(`r-${id}`, id, 'hub')));
      const found = await around('hub');
      expect(found.near.map(({ ci }) => ci)).toEqual(hosts.slice(0, 256));
      expect(found).toMatchObject({ truncated: true, degree: 300, reach3: 300, below3: 300 });
      expect((await around('h299')).near.map(({ ci }) => ci)).toEqual(['hub', ...hosts.slice(0, 255)]);
      expect(
        (await ports.graph.neighbourhood(TENANT, 'hub', { hops: 1, direction: 'both', limit: 300 })).truncated,
      ).toBe(false);
      expect(
        (await ports.graph.neighbourhood(TENANT, 'hub', { hops: 1, direction: 'both', limit: 299 })).truncated,
      ).toBe(true);
    });

    test('a first version reaches back; a removal and a change do not', async () => {
      await named('a', 'b', 'c');
      await join(aRelationship('1', 'a', 'b', { createdAt: 500 }), aRelationship('2', 'a', 'c', { createdAt: 500 }));
      await join(
        aRelationship('2', 'a', 'c', {
          attributes: { criticality: 'high' },
          createdAt: 500,
          updatedAt: 600,
          revision: 2,
        }),
      );
      await ports.relationships.remove(TENANT, '1', 700);
      const seen = async (at: number) => (await around('a', at)).near.map((near) => [near.ci, near.criticalHops]);
      expect(await seen(100)).toEqual([
        ['b', 0],
        ['c', 0],
      ]);
      expect(await seen(599)).toEqual([
        ['b', 0],
        ['c', 0],
      ]);
      expect(await seen(600)).toEqual([
        ['b', 0],
        ['c', 1],
      ]);
      expect(await seen(700)).toEqual([['c', 1]]);
      expect(await seen(650)).toEqual([
        ['b', 0],
        ['c', 1],
      ]);
    });

    test('an answer follows the changes after it', async () => {
      await named('a', 'b');
      const seen = async () => [(await around('a')).degree, (await around('a')).all];
      expect(await seen()).toEqual([0, 2]);
      await join(aRelationship('1', 'a', 'b'));
      expect(await seen()).toEqual([1, 2]);
      await named('c');
      expect(await seen()).toEqual([1, 3]);
      await ports.relationships.remove(TENANT, '1', 200);
      expect(await seen()).toEqual([0, 3]);
    });

    test('a removed CI has surroundings before its removal only, an unknown one never', async () => {
      await named('a', 'b');
      await join(aRelationship('1', 'a', 'b'));
      await ports.relationships.remove(TENANT, '1', 200);
      await ports.cis.remove(TENANT, 'a', 300);
      expect(await ports.graph.around(TENANT, 'a', 150)).toMatchObject({ degree: 1 });
      expect(await ports.graph.around(TENANT, 'a', 250)).toMatchObject({ degree: 0 });
      expect(await ports.graph.around(TENANT, 'a', 300)).toBeNull();
      expect(await ports.graph.around(TENANT, 'x', 100)).toBeNull();
    });
  });
}
