import { beforeEach, describe, expect, test } from '@jest/globals';
import type { TopologyPorts } from '#domain/ports/topology/topology-ports.ts';
import { aRelationship, TENANT, topologyUnderTest } from './topology-samples.ts';

const OLDEST = { sort: 'created_at', order: 'asc', limit: 10 } as const;

export function relationshipsContract(open: () => Promise<TopologyPorts>): void {
  let ports: TopologyPorts;
  beforeEach(async () => {
    ports = await open();
  });
  const { around, join, named } = topologyUnderTest(() => ports);

  describe('keeps relationships', () => {
    beforeEach(() => named('a', 'b', 'c'));
    const ids = async (filter: object, page = {}) =>
      (
        await ports.topology.findRelationships(TENANT, { includeAi: true, ...filter }, { ...OLDEST, ...page })
      ).items.map(({ id }) => id);

    test('types are stored with underscores', async () => {
      await join(aRelationship('r', 'a', 'b', { type: 'Depends-On', attributes: { port: 5432 } }));
      expect(await ports.topology.getRelationship(TENANT, 'r')).toEqual(
        aRelationship('r', 'a', 'b', { type: 'depends_on', attributes: { port: 5432 } }),
      );
    });

    test('lists by end, type and origin', async () => {
      await join(
        aRelationship('r1', 'a', 'b', { createdAt: 300 }),
        aRelationship('r2', 'b', 'c', { createdAt: 100 }),
        aRelationship('r3', 'c', 'a', { createdAt: 100, type: 'uses', discoveredBy: 'ai' }),
      );
      expect(await ids({})).toEqual(['r2', 'r3', 'r1']);
      expect(await ids({}, { order: 'desc', limit: 2 })).toEqual(['r1', 'r3']);
      expect(await ids({ includeAi: false })).toEqual(['r2', 'r1']);
      expect(await ids({ ci: 'b' })).toEqual(['r2', 'r1']);
      expect(await ids({ ci: 'c', type: 'uses' })).toEqual(['r3']);
      expect(await ids({ source: 'a' })).toEqual(['r1']);
      expect(await ids({ target: 'a' })).toEqual(['r3']);
      expect(await ids({ ci: 'a', source: 'c' })).toEqual(['r3']);
      expect([...(await ports.counts.relationships(TENANT, ['a', 'missing']))]).toEqual([
        ['a', 1],
        ['missing', 0],
      ]);
      const { total, nextCursor } = await ports.topology.findRelationships(
        TENANT,
        { ci: 'b', includeAi: true },
        { ...OLDEST, limit: 1 },
      );
      expect(total).toBe(2);
      expect(await ids({ ci: 'b' }, { cursor: nextCursor })).toEqual(['r1']);
    });

    test('lists what was proposed: open ones, accepted ones, both', async () => {
      await join(
        aRelationship('r1', 'a', 'b', { createdAt: 300, discoveredBy: 'ai' }),
        aRelationship('r2', 'b', 'c', { createdAt: 100, discoveredBy: 'ai-accepted' }),
        aRelationship('r3', 'c', 'a', { createdAt: 200 }),
      );
      expect(await ids({ fromAi: 'both' })).toEqual(['r2', 'r1']);
      expect(await ids({ fromAi: 'open' })).toEqual(['r1']);
      expect(await ids({ fromAi: 'accepted' })).toEqual(['r2']);
      expect(await ids({ fromAi: 'both', source: 'a' })).toEqual(['r1']);
      expect(await ids({ fromAi: 'accepted', ci: 'b' })).toEqual(['r2']);
      expect(await ids({ fromAi: 'both', type: 'uses' })).toEqual([]);
      const page = { ...OLDEST, limit: 1 };
      const { total, nextCursor } = await ports.topology.findRelationships(
        TENANT,
        { includeAi: false, fromAi: 'both' },
        page,
      );
      expect(total).toBe(2);
      expect(await ids({ fromAi: 'both' }, { cursor: nextCursor })).toEqual(['r1']);
    });

    test('are found by their ends and type, in order, within the tenant', async () => {
      await join(aRelationship('r1', 'a', 'b'), aRelationship('r2', 'b', 'a', { type: 'uses' }));
      const between = (tenant: string) =>
        ports.topology.relationshipsBetween(tenant, [
          { source: 'b', target: 'a', type: 'USES' },
          { source: 'a', target: 'b', type: 'uses' },
          { source: 'a', target: 'b', type: 'depends-on' },
          { source: 'x', target: 'b', type: 'uses' },
        ]);
      expect((await between(TENANT)).map((one) => one?.id ?? null)).toEqual(['r2', null, 'r1', null]);
      expect(await between('other')).toEqual([null, null, null, null]);
      expect(await ports.topology.relationshipsBetween(TENANT, [])).toEqual([]);
    });

    test('the same ends and type are a conflict, whatever the spelling; another type is not', async () => {
      await join(
        aRelationship('r1', 'a', 'b'),
        aRelationship('r2', 'a', 'b', { type: 'uses' }),
        aRelationship('r3', 'b', 'a'),
      );
      await expect(join(aRelationship('r4', 'a', 'b', { type: 'depends-on' }))).rejects.toMatchObject({
        kind: 'conflict',
      });
      await ports.relationships.remove(TENANT, 'r1', 200);
      await join(aRelationship('r4', 'a', 'b'));
    });

    test('an end that does not exist, or is the other end, is invalid, and nothing of that put is kept', async () => {
      await expect(join(aRelationship('r1', 'a', 'b'), aRelationship('r2', 'a', 'x'))).rejects.toMatchObject({
        kind: 'invalid',
        problems: [{ field: 'target' }],
      });
      await expect(join(aRelationship('r2', 'x', 'a'))).rejects.toMatchObject({ problems: [{ field: 'source' }] });
      await expect(join(aRelationship('r2', 'a', 'a'))).rejects.toMatchObject({ kind: 'invalid' });
      expect(await ids({})).toEqual([]);
      expect((await around('a')).degree).toBe(0);
    });

    test('totals follow changes and removals', async () => {
      const total = async (filter: object) =>
        (await ports.topology.findRelationships(TENANT, { includeAi: false, ...filter }, OLDEST)).total;
      await join(aRelationship('r1', 'a', 'b'), aRelationship('r2', 'b', 'c'), aRelationship('r3', 'a', 'c'));
      await join(aRelationship('r1', 'a', 'b', { type: 'uses', revision: 2 }));
      await join(aRelationship('r2', 'b', 'c', { discoveredBy: 'ai', revision: 2 }));
      await ports.relationships.remove(TENANT, 'r3', 200);
      expect(await total({})).toBe(1);
      expect(await total({ includeAi: true })).toBe(2);
      expect(await total({ type: 'uses' })).toBe(1);
      expect(await total({ type: 'depends_on' })).toBe(0);
    });

    test('a revision that is not newer is refused', async () => {
      await join(aRelationship('r', 'a', 'b'));
      await join(aRelationship('r', 'a', 'b', { revision: 2 }));
      await expect(join(aRelationship('r', 'a', 'b', { revision: 2 }))).rejects.toMatchObject({ kind: 'precondition' });
      expect(await ports.relationships.remove(TENANT, 'missing', 200)).toBeNull();
    });
  });
}
