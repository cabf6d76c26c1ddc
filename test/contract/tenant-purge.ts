import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { CorrelationStore } from '#domain/ports/correlation-store.ts';
import type { EventPorts } from '#domain/ports/events/event-ports.ts';
import type { RecordStore } from '#domain/ports/record-store.ts';
import type { SearchIndex } from '#domain/ports/search/search-index.ts';
import type { TenantPurge } from '#domain/ports/tenant-purge.ts';
import type { TopologyPorts } from '#domain/ports/topology/topology-ports.ts';
import { SEARCH_KINDS } from '#domain/search/document.ts';
import type { Opened } from './opened.ts';
import { sampleDecision, sampleEnriched, sampleEvent, sampleGroup, sampleLink, ulidOf } from './samples.ts';
import { aCi, aRelationship } from './topology-samples.ts';

export interface TenantStores extends EventPorts, TopologyPorts {
  readonly tenants: TenantPurge;
  readonly correlation: CorrelationStore;
  readonly records: RecordStore;
  readonly searchIndex: SearchIndex;
}

const PAGE = { order: 'asc', limit: 100 } as const;
const KINDS = ['user', 'token', 'settings', 'audit'];

/** Events `from` to `from + 2` in one group, with all of their data, and a small infrastructure with a past. */
export async function furnish(stores: TenantStores, tenant: string, from: number): Promise<void> {
  const { events, correlation, records, searchIndex, cis, relationships } = stores;
  const numbers = [from, from + 1, from + 2];
  const group = `COR-${tenant}`;
  const of = { tenant };
  await events.save(numbers.map((n) => sampleEvent(n, { ...of, correlationId: group, title: 'Disk full' })));
  await correlation.save({
    enriched: numbers.map((n) => sampleEnriched(n, of)),
    decisions: numbers.map((n) =>
      sampleDecision(n, { ...of, groupId: group, joined: [ulidOf(n)], accepted: n === from ? [] : [sampleLink(from)] }),
    ),
    groups: [sampleGroup(from + 2, { ...of, id: group, aliases: [`alias-${tenant}`] })],
  });
  for (const kind of KINDS) for (const id of ['1', '2']) await records.put(tenant, kind, id, { kind, id });
  const found = { kind: 'complaint', title: 'Disk full', text: 'The volume', at: 1, keywords: ['port80'] } as const;
  await searchIndex.put(
    tenant,
    ['1', '2'].map((id) => ({ ...found, id })),
  );
  await cis.put(
    tenant,
    ['a', 'b', 'gone'].map((id) => aCi(id, of)),
  );
  await cis.put(tenant, [aCi('a', { ...of, revision: 2, updatedAt: 200, attributes: { hostname: 'a.example' } })]);
  await relationships.put(tenant, [aRelationship('r', 'a', 'b', of), aRelationship('s', 'a', 'gone', of)]);
  await cis.remove(tenant, 'gone', 300, { cascade: true });
}

/** All that can be seen of a tenant, whose events begin at `from`. */
async function look(stores: TenantStores, tenant: string, from: number) {
  const { events, eventCounts, correlation, records, searchIndex, topology, graph, matcher, counts, history } = stores;
  const asked = { kinds: SEARCH_KINDS, limit: 9 };
  const ids = [from, from + 1, from + 2].map(ulidOf);
  const found = async (filter: object) => (await events.find(tenant, filter, { ...PAGE, sort: 'createdAt' })).items;
  return {
    events: await Promise.all([
      events.getMany(tenant, ids),
      found({}),
      found({ search: 'disk' }),
      found({ statuses: ['open'] }),
    ]),
    stats: (await eventCounts.stats(tenant, 0, Number.MAX_SAFE_INTEGER)).total,
    enriched: (await correlation.enriched(tenant, ids)).length,
    decisions: await Promise.all(ids.map((id) => correlation.decisionsOf(tenant, [id], 9))),
    groups: [
      await correlation.group(tenant, `COR-${tenant}`),
      await correlation.group(tenant, `alias-${tenant}`),
      (await correlation.groups(tenant, {}, { ...PAGE, sort: 'first' })).items,
    ],
    records: await Promise.all(KINDS.map((kind) => records.list(tenant, kind, { limit: 9 }))),
    record: await records.get(tenant, 'settings', '1'),
    searched: [
      await searchIndex.search(tenant, { ...asked, words: ['disk'] }),
      await searchIndex.search(tenant, { ...asked, words: ['volumee'], alike: ['volumee'] }),
      await searchIndex.tagged(tenant, { ...asked, keywords: ['port80'] }),
      await searchIndex.get(tenant, [{ kind: 'complaint', id: '1' }]),
      await searchIndex.list(tenant, { kind: 'complaint', limit: 9 }),
    ].map((answer) => JSON.stringify(answer, (key, value) => (key === 'score' ? 0 : value))),
    cis: [
      (await topology.findCis(tenant, {}, { ...PAGE, sort: 'name' })).items,
      await topology.getCis(tenant, ['a', 'gone'], 150),
      (await history.changes(tenant, 'a', { limit: 9 })).items,
      (await history.changes(tenant, 'gone', { limit: 9 })).items,
      await counts.cis(tenant),
    ],
    relationships: [
      (await topology.findRelationships(tenant, { includeAi: true }, { ...PAGE, sort: 'created_at' })).items,
      await topology.getRelationship(tenant, 's', 250),
    ],
    around: [await graph.around(tenant, 'a', 9_000), await graph.around(tenant, 'a', 250)],
    bound: await matcher.bind(tenant, [{ hostname: 'a.example' }, { ciId: 'b' }]),
  };
}

export function tenantPurgeContract(name: string, open: () => Promise<Opened<TenantStores>>): void {
  describe(`${name} keeps the TenantPurge contract`, () => {
    let opened: Opened<TenantStores>;
    beforeEach(async () => {
      opened = await open();
      await furnish(opened.store, 'acme', 1_000);
      await furnish(opened.store, 'other', 2_000);
    });
    afterEach(() => opened.close());
    const seen = (tenant: string, from: number) => look(opened.store, tenant, from);

    test('nothing is left of the tenant, and another with the same keeps everything', async () => {
      const before = await seen('other', 2_000);
      expect(await seen('acme', 1_000)).not.toEqual(await seen('nobody', 1_000));
      await opened.store.tenants.purge('acme');
      expect(await seen('acme', 1_000)).toEqual(await seen('nobody', 1_000));
      expect(await seen('other', 2_000)).toEqual(before);
    });

    test('a second time, and for a tenant that nobody knows, it does nothing', async () => {
      const before = await Promise.all([seen('acme', 1_000), seen('other', 2_000)]);
      await opened.store.tenants.purge('nobody');
      await opened.store.tenants.purge('acm');
      expect(await Promise.all([seen('acme', 1_000), seen('other', 2_000)])).toEqual(before);
      await opened.store.tenants.purge('acme');
      await opened.store.tenants.purge('acme');
      expect(await seen('other', 2_000)).toEqual(before[1]);
    });

    test('it lets go when it is told to, and the next call does the rest', async () => {
      let asked = 0;
      expect(await opened.store.tenants.purge('acme', () => ++asked > 2)).toBe(false);
      expect(await seen('acme', 1_000)).not.toEqual(await seen('nobody', 1_000));
      expect(await opened.store.tenants.purge('acme', () => false)).toBe(true);
      expect(await seen('acme', 1_000)).toEqual(await seen('nobody', 1_000));
    });

    test('what comes under the name afterwards is as if it had never been there', async () => {
      await opened.store.tenants.purge('acme');
      await furnish(opened.store, 'acme', 3_000);
      const again = await seen('acme', 3_000);
      expect(again.events[1]).toHaveLength(3);
      expect([again.stats, again.enriched, again.record]).toMatchObject([3, 3, { revision: 1 }]);
      expect(again.cis[4]).toBe(2);
      expect(again.cis[2]).toHaveLength(2);
    });
  });
}
