import { beforeEach, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { TopologyPorts } from '#domain/ports/topology/topology-ports.ts';
import { ACCEPTED, PROPOSED, type Relationship } from '#domain/topology/topology.ts';
import { aCi, aRelationship, TENANT, topologyUnderTest } from './topology-samples.ts';

const HOPS = { hops: 3, direction: 'both', limit: 100 } as const;
const WAY = { maxHops: 5, direction: 'both' } as const;
const CIS = ['a', 'b', 'c', 'd', 'e'];

/** A mere proposal is in no walk and in no count, now and in the past. */
export function proposalsContract(open: () => Promise<TopologyPorts>, estates: number): void {
  let ports: TopologyPorts;
  beforeEach(async () => {
    ports = await open();
  });
  const { join, named, around } = topologyUnderTest(() => ports);
  const proposal = (id: string, source: string, target: string, parts: Partial<Relationship> = {}) =>
    aRelationship(id, source, target, { discoveredBy: PROPOSED, confidence: 0.6, ...parts });

  /** Returns everything that walks return for these CIs. */
  const told = async (tenant: string, ids: readonly string[], asOf?: number) => {
    const at = asOf === undefined ? {} : { asOf };
    const walks = [];
    for (const id of ids) {
      const { nodes, edges } = await ports.graph.neighbourhood(tenant, id, { ...HOPS, ...at });
      walks.push({
        nodes: nodes.map(({ ci, hops }) => `${ci}${hops}`),
        edges: edges.map((edge) => edge.id).sort(),
        impact: await ports.graph.impact(tenant, [id], { limit: 100, ...at }),
        around: await ports.graph.around(tenant, id, asOf ?? 9_000),
        // Of equally short paths any may be returned.
        path: (await ports.graph.path(tenant, ids[0]!, id, { ...WAY, ...at }))?.length ?? null,
      });
    }
    return walks;
  };

  test('no walk follows it and no count has it; by itself and in lists it is there', async () => {
    await named('a', 'b', 'c');
    await join(aRelationship('r1', 'a', 'b'), proposal('p1', 'b', 'c', { createdAt: 200 }));
    expect((await ports.graph.neighbourhood(TENANT, 'a', HOPS)).nodes.map(({ ci }) => ci)).toEqual(['b']);
    expect((await ports.graph.impact(TENANT, ['c'], { limit: 9 })).impacted).toEqual([]);
    expect(await ports.graph.path(TENANT, 'a', 'c', WAY)).toBeNull();
    expect(await around('c')).toMatchObject({ degree: 0, hasRelationships: false, near: [] });
    expect([...(await ports.counts.relationships(TENANT, ['b', 'c']))]).toEqual([
      ['b', 1],
      ['c', 0],
    ]);
    expect((await ports.counts.types(TENANT)).relationships).toEqual([{ type: 'depends_on', count: 1 }]);
    expect(await ports.topology.getRelationship(TENANT, 'p1')).toMatchObject({ discoveredBy: PROPOSED });
    const all = { includeAi: true };
    const page = { sort: 'created_at', order: 'asc', limit: 9 } as const;
    expect((await ports.topology.findRelationships(TENANT, all, page)).items.map(({ id }) => id)).toEqual(['r1', 'p1']);
  });

  test('redundancy that is only proposed saves nothing', async () => {
    await named('a', 'b', 'c');
    const paths = { attributes: { redundancy_group: 'g' } };
    await join(aRelationship('r1', 'a', 'b', paths), proposal('p1', 'a', 'c', paths));
    expect((await ports.graph.impact(TENANT, ['b'], { limit: 9 })).impacted.map(({ ci }) => ci)).toEqual(['a']);
  });

  test('from its acceptance on it is like any, and events of before find it too', async () => {
    await named('a', 'b');
    await join(proposal('p1', 'a', 'b'));
    expect((await around('a', 150)).degree).toBe(0);
    await join(proposal('p1', 'a', 'b', { discoveredBy: ACCEPTED, revision: 2, updatedAt: 500 }));
    expect((await around('a', 150)).degree).toBe(1);
    expect((await ports.graph.impact(TENANT, ['b'], { limit: 9 })).impacted.map(({ ci }) => ci)).toEqual(['a']);
    expect(await ports.graph.path(TENANT, 'a', 'b', WAY)).toEqual(['a', 'b']);
    expect((await ports.counts.relationships(TENANT, ['a'])).get('a')).toBe(1);
    expect(await ports.graph.path(TENANT, 'a', 'b', { ...WAY, asOf: 400 })).toBeNull();
    expect(await ports.graph.path(TENANT, 'a', 'b', { ...WAY, asOf: 500 })).toEqual(['a', 'b']);
  });

  test('what becomes a proposal counts no more, and did before', async () => {
    await named('a', 'b');
    await join(aRelationship('r1', 'a', 'b'));
    expect((await around('a')).degree).toBe(1);
    await join(proposal('r1', 'a', 'b', { revision: 2, updatedAt: 500 }));
    expect((await around('a', 600)).degree).toBe(0);
    expect((await around('a', 400)).degree).toBe(1);
    expect(await ports.graph.path(TENANT, 'a', 'b', WAY)).toBeNull();
    expect(await ports.graph.path(TENANT, 'a', 'b', { ...WAY, asOf: 400 })).toEqual(['a', 'b']);
    await ports.relationships.remove(TENANT, 'r1', 700);
    expect((await around('a', 400)).degree).toBe(1);
  });

  test('it keeps no CI from being removed, and goes with it', async () => {
    await named('a', 'b');
    await join(proposal('p1', 'a', 'b'));
    const removed = await ports.cis.remove(TENANT, 'b', 200);
    expect(removed?.relationships.map(({ id }) => id)).toEqual(['p1']);
    expect(await ports.topology.getRelationship(TENANT, 'p1')).toBeNull();
    expect((await around('a', 150)).degree).toBe(0);
  });

  test('a merge moves proposals, and a relationship outdoes a proposal of the same', async () => {
    await named('into', 'from', 'x', 'y', 'z');
    await join(
      proposal('p1', 'from', 'x'),
      proposal('p2', 'into', 'y'),
      aRelationship('r2', 'from', 'y'),
      aRelationship('r3', 'into', 'z'),
      proposal('p3', 'from', 'z', { attributes: { port: 1 } }),
    );
    const into = aCi('into', { formerly: ['from'], revision: 2, updatedAt: 500 });
    await ports.cis.merge(TENANT, { into, from: { id: 'from', revision: 1 }, at: 500, by: 'me' });
    const find = async (id: string) => ports.topology.getRelationship(TENANT, id);
    expect(await find('p1')).toMatchObject({ source: 'into', discoveredBy: PROPOSED });
    expect(await find('p2')).toMatchObject({ discoveredBy: 'manual', confidence: 1 });
    expect(await find('r3')).toMatchObject({ discoveredBy: 'manual', attributes: {}, revision: 1 });
    expect([await find('r2'), await find('p3')]).toEqual([null, null]);
    expect((await ports.graph.impact(TENANT, ['y'], { limit: 9 })).impacted.map(({ ci }) => ci)).toEqual(['into']);
    expect((await ports.graph.impact(TENANT, ['x'], { limit: 9 })).impacted).toEqual([]);
  });

  const end = fc.constantFrom(...CIS);
  const edge = fc.record({
    source: end,
    target: end,
    type: fc.constantFrom('depends_on', 'powered_by', 'peers_with'),
    isProposed: fc.boolean(),
    group: fc.constantFrom(null, null, 'g'),
  });
  const estate = fc
    .uniqueArray(edge, { maxLength: 14, selector: ({ source, target, type }) => `${source}${target}${type}` })
    .map((edges) => edges.filter(({ source, target }) => source !== target));

  test('whatever the estate, it is the same to all walks as without its proposals', async () => {
    let serial = 0;
    await fc.assert(
      fc.asyncProperty(estate, async (edges) => {
        serial += 1;
        const [withThem, without] = [`with-${serial}`, `without-${serial}`];
        const made = edges.map(({ source, target, type, isProposed, group }, i) => {
          const attributes = group === null ? {} : { redundancy_group: group };
          const discoveredBy = isProposed ? PROPOSED : 'manual';
          return aRelationship(`r${i}`, source, target, { type, attributes, discoveredBy });
        });
        for (const tenant of [withThem, without])
          await ports.cis.put(
            tenant,
            CIS.map((id) => aCi(id, { tenant })),
          );
        const put = (tenant: string, some: readonly Relationship[]) =>
          ports.relationships.put(
            tenant,
            some.map((one) => ({ ...one, tenant })),
          );
        await put(withThem, made);
        await put(
          without,
          made.filter(({ discoveredBy }) => discoveredBy !== PROPOSED),
        );
        for (const asOf of [undefined, 5_000])
          expect(await told(withThem, CIS, asOf)).toEqual(await told(without, CIS, asOf));
        const counts = (tenant: string) => ports.counts.relationships(tenant, CIS);
        expect(await counts(withThem)).toEqual(await counts(without));
      }),
      { numRuns: estates },
    );
  });
}
