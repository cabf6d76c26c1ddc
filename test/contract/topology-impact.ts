import { beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { TopologyPorts } from '#domain/ports/topology/topology-ports.ts';
import type { Impact } from '#domain/topology/topology.ts';
import { aCi, aRelationship, TENANT, topologyUnderTest } from './topology-samples.ts';

const CIS = [...'abcdef'];

/** `source` depends on `target` by one path of a group. */
const path = (id: string, source: string, target: string, group: string, parts = {}) =>
  aRelationship(id, source, target, { attributes: { redundancy_group: group }, ...parts });

export function impactContract(open: () => Promise<TopologyPorts>, tried: number): void {
  let ports: TopologyPorts;
  beforeEach(async () => {
    ports = await open();
  });
  const { cis, join, named } = topologyUnderTest(() => ports);
  const told = ({ impacted, protected: saved }: Impact): string =>
    [
      ...impacted.map(({ ci, hops, via }) => `${ci}${hops}<${via}`),
      ...saved.map(
        ({ ci, hops, groups }) => `(${ci}${hops} ${groups.map((g) => `${g.group} ${g.surviving}/${g.members}`)})`,
      ),
    ].join(' ');
  const failing = async (id: string, asOf?: number) =>
    told(await ports.graph.impact(TENANT, [id], { limit: 100, ...(asOf !== undefined && { asOf }) }));

  describe('says what fails with a CI', () => {
    test('downstream, over what faults travel, with names', async () => {
      await cis(aCi('sw', { name: 'Switch', type: 'switch' }), aCi('host', { name: 'Host' }), aCi('app'), aCi('peer'));
      await join(
        aRelationship('1', 'host', 'sw', { type: 'powered_by' }),
        aRelationship('2', 'app', 'host', { type: 'runs_on' }),
        aRelationship('3', 'peer', 'sw', { type: 'peers_with' }),
      );
      expect(await ports.graph.impact(TENANT, ['sw'], { limit: 9 })).toEqual({
        impacted: [
          { ci: 'host', hops: 1, via: 'sw', name: 'Host', type: 'server' },
          { ci: 'app', hops: 2, via: 'host', name: 'app', type: 'server' },
        ],
        protected: [],
        truncated: false,
      });
      expect(await ports.graph.impact(TENANT, ['sw'], { limit: 1 })).toMatchObject({ impacted: [{}], truncated: true });
      for (const when of [{}, { asOf: 200 }])
        expect(told(await ports.graph.impact(TENANT, ['sw'], { limit: 9, hops: 1, ...when }))).toBe('host1<sw');
      expect(await failing('app')).toBe('');
    });

    test('paths of a group stand in for each other, until too few are left', async () => {
      await named('a', 'b', 'c', 'x', 'y');
      await join(path('1', 'a', 'x', 'g'), path('2', 'a', 'y', 'g'), aRelationship('3', 'b', 'a'));
      expect(await failing('x')).toBe('(a1 g 1/2)');
      expect(told(await ports.graph.impact(TENANT, ['x', 'y'], { limit: 9 }))).toBe('a1<y b2<a');
      await join(
        path('2', 'a', 'y', 'g', { attributes: { redundancy_group: 'g', redundancy_required: 2 }, revision: 2 }),
      );
      expect(await failing('x')).toBe('a1<x b2<a');
      await join(path('2', 'a', 'y', 'other', { revision: 3 }));
      expect(await failing('x')).toBe('a1<x b2<a');
    });

    test('over some types alone, and what stands in for a path counts among these', async () => {
      await named('a', 'b', 'c', 'x', 'y');
      const at = { createdAt: 100 };
      await join(
        path('1', 'a', 'x', 'g', { type: 'powered_by', ...at }),
        path('2', 'a', 'y', 'g', { type: 'runs_on', ...at }),
        aRelationship('3', 'b', 'a', { type: 'runs_on', ...at }),
        aRelationship('4', 'c', 'x', { type: 'uses', ...at }),
        aRelationship('5', 'c', 'x', { type: 'peers_with', ...at }),
      );
      const over = async (types: readonly string[]) => {
        const all = [{}, { asOf: 200 }].map((when) => ports.graph.impact(TENANT, ['x'], { limit: 9, types, ...when }));
        const [now, then] = (await Promise.all(all)).map(told);
        expect(then).toBe(now);
        return now;
      };
      expect(await over([])).toBe('c1<x (a1 g 1/2)');
      expect(await over(['uses'])).toBe('c1<x');
      expect(await over(['powered_by'])).toBe('a1<x');
      expect(await over(['powered_by', 'runs_on'])).toBe('(a1 g 1/2)');
      expect(await over(['peers_with', 'no_such_type'])).toBe('');
    });

    test('as it was then', async () => {
      await cis(...['a', 'b', 'x', 'y'].map((id) => aCi(id, { createdAt: 50 })));
      await join(path('1', 'a', 'x', 'g'), path('2', 'a', 'y', 'g'), aRelationship('3', 'b', 'a', { createdAt: 200 }));
      await ports.relationships.remove(TENANT, '2', 300);
      const at = (time: number) => failing('x', time);
      expect([await at(99), await at(100), await at(299), await at(300)]).toEqual([
        '',
        '(a1 g 1/2)',
        '(a1 g 1/2)',
        'a1<x b2<a',
      ]);
      expect(await failing('a', 150)).toBe('');
      expect(await failing('a', 200)).toBe('b1<a');
      await expect(failing('x', 49)).rejects.toMatchObject({ kind: 'not-found' });
    });

    test('nothing of an unknown CI, nor of another tenant', async () => {
      await named('a');
      await expect(failing('x')).rejects.toMatchObject({ kind: 'not-found' });
      await expect(ports.graph.impact('other', ['a'], { limit: 9 })).rejects.toMatchObject({ kind: 'not-found' });
      await expect(ports.graph.impact('other', ['a'], { limit: 9, asOf: 200 })).rejects.toMatchObject({
        kind: 'not-found',
      });
    });

    test('now, and as of now from what is stored, are one answer', async () => {
      const end = fc.constantFrom(...CIS);
      const group = fc.option(fc.constantFrom('g', 'h'));
      const edge = fc.record({ source: end, target: end, type: fc.constantFrom('depends_on', 'uses'), group });
      const edges = fc.uniqueArray(edge, { maxLength: 14, selector: (e) => `${e.source}${e.target}${e.type}` });
      await fc.assert(
        fc.asyncProperty(edges, async (made) => {
          const fresh = await open();
          await fresh.cis.put(
            TENANT,
            CIS.map((id) => aCi(id)),
          );
          const ends = made.filter(({ source, target }) => source !== target);
          await fresh.relationships.put(
            TENANT,
            ends.map(({ source, target, type, group: redundancy }, i) =>
              redundancy === null
                ? aRelationship(`${i}`, source, target, { type })
                : path(`${i}`, source, target, redundancy, { type }),
            ),
          );
          for (const ci of CIS)
            expect(await fresh.graph.impact(TENANT, [ci], { limit: 9 })).toEqual(
              await fresh.graph.impact(TENANT, [ci], { limit: 9, asOf: 200 }),
            );
        }),
        { numRuns: tried },
      );
    }, 60_000);
  });
}
