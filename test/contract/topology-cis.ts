import { beforeEach, describe, expect, test } from '@jest/globals';
import type { TopologyPorts } from '#domain/ports/topology/topology-ports.ts';
import { aCi, aRelationship, TENANT, topologyUnderTest } from './topology-samples.ts';

export function cisContract(open: () => Promise<TopologyPorts>): void {
  let ports: TopologyPorts;
  beforeEach(async () => {
    ports = await open();
  });
  const { cis, join, named } = topologyUnderTest(() => ports);

  describe('keeps CIs', () => {
    test('what was put comes back whole, in the order asked for', async () => {
      const full = aCi('a', {
        externalKey: 'K-1',
        description: 'Main database',
        attributes: { os: 'linux', nested: { cpu_cores: 8 } },
        customFields: { owner: 'dba' },
      });
      await cis(full, aCi('b'));
      expect(await ports.topology.getCis(TENANT, ['b', 'missing', 'a'])).toEqual([aCi('b'), full]);
      expect(await ports.counts.cis(TENANT)).toBe(2);
    });

    test('a version is shown from its time on, and nothing before creation or after removal', async () => {
      await cis(aCi('a', { name: 'old', createdAt: 100, updatedAt: 100 }));
      await cis(aCi('a', { name: 'new', createdAt: 100, updatedAt: 200, revision: 2 }));
      expect((await ports.cis.remove(TENANT, 'a', 300))?.ci.name).toBe('new');
      const at = async (time: number) => (await ports.topology.getCis(TENANT, ['a'], time)).map((ci) => ci.name);
      expect(await Promise.all([99, 100, 199, 200, 299, 300].map(at))).toEqual([
        [],
        ['old'],
        ['old'],
        ['new'],
        ['new'],
        [],
      ]);
      expect(await ports.topology.getCis(TENANT, ['a'])).toEqual([]);
      expect(await ports.counts.cis(TENANT)).toBe(0);
      expect(await ports.cis.remove(TENANT, 'a', 400)).toBeNull();
    });

    test('a used external key is a conflict, and nothing of that put is kept', async () => {
      await cis(aCi('a', { externalKey: 'K' }));
      await expect(cis(aCi('b'), aCi('c', { externalKey: 'K' }))).rejects.toMatchObject({ kind: 'conflict' });
      expect(await ports.topology.getCis(TENANT, ['b', 'c'])).toEqual([]);
      expect(await ports.counts.cis(TENANT)).toBe(1);
      await ports.cis.put('other', [aCi('d', { tenant: 'other', externalKey: 'K' })]);
    });

    test.each([1, 2])('revision %i over stored revision 2 is refused', async (revision) => {
      await cis(aCi('a'));
      await cis(aCi('a', { revision: 2, name: 'kept' }));
      await expect(cis(aCi('a', { revision, name: 'lost' }))).rejects.toMatchObject({ kind: 'precondition' });
      expect((await ports.topology.getCis(TENANT, ['a']))[0]?.name).toBe('kept');
    });

    test('a CI with relationships is not removed', async () => {
      await named('a', 'b');
      await join(aRelationship('r', 'a', 'b'));
      await expect(ports.cis.remove(TENANT, 'b', 200)).rejects.toMatchObject({ kind: 'conflict' });
      await ports.relationships.remove(TENANT, 'r', 200);
      expect(await ports.cis.remove(TENANT, 'b', 200)).toEqual({ ci: aCi('b'), relationships: [] });
    });
  });
}
