import { beforeEach, expect, test } from '@jest/globals';
import type { TopologyPorts } from '#domain/ports/topology/topology-ports.ts';
import { aCi, aRelationship, TENANT, topologyUnderTest } from './topology-samples.ts';

export function countsContract(open: () => Promise<TopologyPorts>): void {
  let ports: TopologyPorts;
  beforeEach(async () => {
    ports = await open();
  });
  const { cis, join, named } = topologyUnderTest(() => ports);

  test('types in use are counted, the most used first', async () => {
    await cis(
      aCi('1', { type: 'server' }),
      aCi('2', { type: 'server' }),
      aCi('3', { type: 'switch' }),
      aCi('4', { type: 'router' }),
    );
    await join(
      aRelationship('r1', '1', '3'),
      aRelationship('r2', '2', '3'),
      aRelationship('r3', '1', '4', { type: 'feeds' }),
    );
    expect(await ports.counts.types(TENANT)).toEqual({
      cis: [
        { type: 'server', count: 2 },
        { type: 'router', count: 1 },
        { type: 'switch', count: 1 },
      ],
      relationships: [
        { type: 'depends_on', count: 2 },
        { type: 'feeds', count: 1 },
      ],
    });
    await ports.relationships.remove(TENANT, 'r3', 200);
    expect((await ports.counts.types(TENANT)).relationships).toEqual([{ type: 'depends_on', count: 2 }]);
    expect(await ports.counts.types('other')).toEqual({ cis: [], relationships: [] });
  });

  test('CIs and their relationships are counted as they are now', async () => {
    await named('a', 'b', 'c');
    await join(aRelationship('r1', 'a', 'b'), aRelationship('r2', 'b', 'c'), aRelationship('r3', 'c', 'a'));
    await ports.cis.remove(TENANT, 'b', 200, { cascade: true });
    expect(await ports.counts.cis(TENANT)).toBe(2);
    expect([...(await ports.counts.relationships(TENANT, ['a', 'b', 'missing']))]).toEqual([
      ['a', 1],
      ['b', 0],
      ['missing', 0],
    ]);
    expect(await ports.counts.cis('other')).toBe(0);
  });
}
