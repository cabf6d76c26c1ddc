import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { TopologyPorts } from '#domain/ports/topology/topology-ports.ts';
import { type Estate, estates, naiveAround, nearestOf } from './topology-naive.ts';
import { aCi, aRelationship, TENANT } from './topology-samples.ts';

export function pastContract(open: () => Promise<TopologyPorts>, tried: number): void {
  describe('agrees with a naive search', () => {
    test('it is what a naive search finds, now and in the past', async () => {
      await fc.assert(
        fc.asyncProperty(estates(), async (estate) => {
          const fresh = await open();
          await load(fresh, estate);
          const times = estate.cis.flatMap((ci) => [50, 150, 250, 350, 450].map((at) => ({ ci, at })));
          // In parallel, since each is a round trip to a server.
          await Promise.all(times.map((time) => compare(fresh, estate, time)));
        }),
        { numRuns: tried },
      );
    });
  });

  async function compare(fresh: TopologyPorts, estate: Estate, { ci, at }: { ci: string; at: number }): Promise<void> {
    expect(await fresh.graph.around(TENANT, ci, at)).toEqual(naiveAround(estate, ci, at));
    for (const direction of ['up', 'down', 'both'] as const) {
      const neighbourhood = await fresh.graph.neighbourhood(TENANT, ci, { hops: 2, direction, limit: 100, asOf: at });
      expect(neighbourhood.nodes.map((node) => [node.ci, node.hops, node.via])).toEqual(
        nearestOf(estate, ci, { at, hops: 2, direction, literal: true }),
      );
    }
  }

  /** Relationships begin at 100; at 200 some become critical, at 300 and 400 some are removed. */
  async function load(into: TopologyPorts, { cis: ids, edges }: Estate): Promise<void> {
    await into.cis.put(
      TENANT,
      ids.map((id) => aCi(id, { createdAt: 10, updatedAt: 10 })),
    );
    const made = edges.map((edge, i) => ({
      edge,
      put: aRelationship(`r${i}`, edge.source, edge.target, { type: edge.type }),
    }));
    await into.relationships.put(
      TENANT,
      made.map(({ put }) => put),
    );
    const risen = made.filter(({ edge }) => edge.criticalLater);
    const attributes = { criticality: 'critical' };
    await into.relationships.put(
      TENANT,
      risen.map(({ put }) => ({ ...put, attributes, updatedAt: 200, revision: 2 })),
    );
    for (const { edge, put } of made)
      if (edge.removedAt) await into.relationships.remove(TENANT, put.id, edge.removedAt);
  }
}
