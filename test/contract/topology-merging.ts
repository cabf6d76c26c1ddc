import { beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { TopologyPorts } from '#domain/ports/topology/topology-ports.ts';
import type { Ci, Relationship } from '#domain/topology/topology.ts';
import { aCi, aRelationship, TENANT, topologyUnderTest } from './topology-samples.ts';

const PAGE = { sort: 'created_at', order: 'asc', limit: 100 } as const;
const CIS = ['from', 'into', 'x', 'y'] as const;
const TYPES = ['depends_on', 'uses'] as const;

type Edge = Pick<Relationship, 'source' | 'target' | 'type'>;
const keyOf = ({ source, target, type }: Edge): string => `${source} ${type} ${target}`;

/** Computes edges after one end replaces the other, without a store. */
const naive = (edges: readonly Edge[]): string[] => {
  const renamed = (end: string): string => (end === 'from' ? 'into' : end);
  const all = edges.map((edge) => ({ ...edge, source: renamed(edge.source), target: renamed(edge.target) }));
  return [...new Set(all.filter(({ source, target }) => source !== target).map(keyOf))].sort();
};

export function mergingContract(open: () => Promise<TopologyPorts>, tried: number): void {
  let ports: TopologyPorts;
  beforeEach(async () => {
    ports = await open();
  });
  const { cis, join, around } = topologyUnderTest(() => ports);
  const survivor = (parts: Partial<Ci> = {}): Ci =>
    aCi('into', { formerly: ['from'], revision: 2, updatedAt: 500, ...parts });
  const merge = (parts: Partial<Ci> = {}, revision = 1) =>
    ports.cis.merge(TENANT, { into: survivor(parts), from: { id: 'from', revision }, at: 500, by: 'tester' });
  const edges = async (): Promise<readonly Relationship[]> =>
    (await ports.topology.findRelationships(TENANT, { includeAi: true }, PAGE)).items;

  describe('merges two CIs', () => {
    beforeEach(async () => {
      await cis(aCi('from', { externalKey: 'K' }), aCi('into'), aCi('x'), aCi('y'));
      await join(
        aRelationship('moves', 'from', 'x'),
        aRelationship('comes', 'y', 'from', { type: 'uses' }),
        aRelationship('self', 'from', 'into'),
        aRelationship('twin', 'from', 'y', { attributes: { port: 1, proto: 'tcp' }, confidence: 0.9 }),
        aRelationship('there', 'into', 'y', { attributes: { port: 2 }, confidence: 0.5 }),
      );
    });

    test('relationships move and keep their ids; those between the two vanish, duplicates join', async () => {
      expect(await merge()).toMatchObject({ from: { id: 'from', externalKey: 'K' }, moved: 3, ended: 2 });
      const found = new Map((await edges()).map((one) => [one.id, one]));
      expect([...found.keys()].sort()).toEqual(['comes', 'moves', 'there']);
      expect(found.get('moves')).toMatchObject({ source: 'into', target: 'x', revision: 2 });
      expect(found.get('comes')).toMatchObject({ source: 'y', target: 'into', type: 'uses' });
      expect(found.get('there')).toMatchObject({ attributes: { port: 2, proto: 'tcp' }, confidence: 0.9, revision: 2 });
      expect((await ports.counts.types(TENANT)).relationships).toEqual([
        { type: 'depends_on', count: 2 },
        { type: 'uses', count: 1 },
      ]);
      expect((await around('into')).near.map(({ ci }) => ci).sort()).toEqual(['x', 'y']);
      expect(await ports.counts.cis(TENANT)).toBe(3);
      expect(await ports.graph.around(TENANT, 'from', 9_000)).toBeNull();
    });

    test('the past stays as it was', async () => {
      await merge();
      const at = (id: string, asOf: number) =>
        ports.graph.neighbourhood(TENANT, id, { hops: 1, direction: 'both', limit: 9, asOf });
      expect((await at('from', 300)).nodes.map(({ ci }) => ci).sort()).toEqual(['into', 'x', 'y']);
      expect((await at('into', 300)).nodes.map(({ ci }) => ci).sort()).toEqual(['from', 'y']);
      expect((await at('into', 600)).nodes.map(({ ci }) => ci).sort()).toEqual(['x', 'y']);
      expect((await ports.topology.getCis(TENANT, ['from'], 499)).map(({ id }) => id)).toEqual(['from']);
      expect(await ports.topology.getCis(TENANT, ['from'], 500)).toEqual([]);
      const { items } = await ports.history.changes(TENANT, 'from', { limit: 9 });
      expect(items.map(({ at: time, by, after }) => [time, by, after === null])).toEqual([
        [500, 'tester', true],
        [100, 'tester', false],
      ]);
    });

    test('the one that stays is found by the id and the key of the other, and may take the key', async () => {
      await ports.cis.seen(TENANT, [
        { ci: 'from', at: 400 },
        { ci: 'into', at: 300 },
      ]);
      await merge({ externalKey: 'K' });
      const bound = await ports.matcher.bind(TENANT, [{ ciId: 'from' }, { ciId: 'k' }]);
      expect(bound.map(({ ci }) => ci?.id)).toEqual(['into', 'into']);
      expect((await ports.topology.getCis(TENANT, ['into']))[0]).toEqual(survivor({ externalKey: 'K' }));
      expect([...(await ports.topology.lastSeen(TENANT, ['from', 'into']))]).toEqual([['into', 400]]);
    });

    test('is refused whole when either has changed, and is null without the other', async () => {
      await expect(merge({}, 2)).rejects.toMatchObject({ kind: 'precondition' });
      await expect(merge({ revision: 1 })).rejects.toMatchObject({ kind: 'precondition' });
      await cis(aCi('taken', { externalKey: 'T' }));
      await expect(merge({ externalKey: 'T' })).rejects.toMatchObject({ kind: 'conflict' });
      expect(await edges()).toHaveLength(5);
      expect((await ports.topology.getCis(TENANT, ['from', 'into'])).map(({ revision }) => revision)).toEqual([1, 1]);
      const nobody = { into: survivor(), from: { id: 'nobody', revision: 1 }, at: 500, by: 'tester' };
      expect(await ports.cis.merge(TENANT, nobody)).toBeNull();
      expect(await ports.cis.merge('other', { ...nobody, from: { id: 'from', revision: 1 } })).toBeNull();
    });
  });

  const end = fc.constantFrom(...CIS);
  const edge = fc.record({ source: end, target: end, type: fc.constantFrom(...TYPES) });
  const anEstate = fc.uniqueArray(
    edge.filter(({ source, target }) => source !== target),
    { selector: keyOf, maxLength: 10 },
  );

  test('what is left is what renaming would leave', async () => {
    await fc.assert(
      fc.asyncProperty(anEstate, async (made) => {
        ports = await open();
        await cis(...CIS.map((id) => aCi(id)));
        await join(...made.map(({ source, target, type }, i) => aRelationship(`r${i}`, source, target, { type })));
        await merge();
        expect((await edges()).map(keyOf).sort()).toEqual(naive(made));
        const walked = (await around('into')).near.map(({ ci }) => ci).filter((ci) => ci === 'from');
        expect(walked).toEqual([]);
      }),
      { numRuns: tried },
    );
  });
}
