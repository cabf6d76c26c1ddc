import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Changes } from '#domain/ports/pipeline-store.ts';
import type { TopologyPorts } from '#domain/ports/topology/topology-ports.ts';
import { tenantsIn } from '#infra/backends/distributed.ts';
import { LAYOUT } from '#infra/elasticsearch/cluster/layout.ts';
import { type Neo4jTopology, openNeo4j } from '#infra/neo4j/open-neo4j.ts';
import { NOON } from '#test/contract/samples.ts';
import { type TenantStores, tenantPurgeContract } from '#test/contract/tenant-purge.ts';
import { aCi, aRelationship } from '#test/contract/topology-samples.ts';
import { setClock } from '#test/setup/set-clock.ts';
import { addresses } from './addresses.ts';
import { type OwnElasticsearch, ownElasticsearch } from './own-elasticsearch.ts';
import { tenantsOfItsOwn } from './tenants-of-its-own.ts';

const RUN = randomBytes(5).toString('hex');
const clock = setClock(NOON);
let own: OwnElasticsearch;
let topology: Neo4jTopology;
let estates = 0;
beforeAll(async () => {
  [own, topology] = await Promise.all([ownElasticsearch(clock), openNeo4j({ url: addresses().neo4j, clock })]);
});
afterAll(async () => {
  await Promise.all([own.close(), topology.close()]);
});

/**
 * Each test has tenants of its own in the topology, since recreating its schema is slow; its answers name them in full.
 */
const estate = (): TopologyPorts & Pick<TenantStores, 'tenants'> => {
  const prefix = `${RUN}-${++estates}-`;
  const renamed = (answer: unknown) =>
    answer instanceof Map || answer === undefined ? answer : JSON.parse(JSON.stringify(answer).replaceAll(prefix, ''));
  return {
    ...tenantsOfItsOwn(topology.ports, prefix, renamed),
    tenants: tenantsIn({ purge: (tenant, ...rest) => topology.tenants.purge(prefix + tenant, ...rest) }, own.tenants),
  };
};

tenantPurgeContract('Elasticsearch with Neo4j', async () => ({
  store: {
    ...estate(),
    events: own.events,
    sweeps: own.sweeps,
    eventCounts: own.eventCounts,
    eventHistory: own.eventHistory,
    eventAggregates: own.eventAggregates,
    eventSummaries: own.eventSummaries,
    correlation: own.correlation,
    records: own.records,
    searchIndex: own.searchIndex,
  },
  close: own.wipe,
}));

test('answers to deliveries and recoveries go, those of others stay', async () => {
  const receipt = { ok: true, outcome: 'created', id: 'x', count: 1, correlationId: null } as const;
  const of = (tenant: string): Changes => ({
    events: [],
    enriched: [],
    decisions: [],
    groups: [],
    deliveries: [{ tenant, id: 'd', receipt, position: 1, at: NOON }],
    recoveries: [{ tenant, conditionId: 'c', at: NOON, receivedAt: NOON, position: 1 }],
  });
  for (const tenant of ['acme', 'other']) await own.pipeline.save(of(tenant));
  await own.tenants.purge('acme');
  const { deliveries } = await own.pipeline.load({
    deliveries: ['acme', 'other'].map((tenant) => ({ tenant, id: 'd' })),
  });
  expect([...deliveries.values()].map(({ tenant }) => tenant)).toEqual(['other']);
  const recoveries: string[] = [];
  for await (const { tenant } of own.pipeline.restorable(() => true).recoveries(0)) recoveries.push(tenant);
  expect(recoveries).toEqual(['other']);
  await own.wipe();
});

test('an index that was made before it could be asked for a tenant learns it at the next start', async () => {
  const alias = `${own.prefix}-deliveries`;
  const properties = { delivery: { properties: { at: { type: 'long' } } } };
  const mappings = { dynamic: false, _meta: { layout: LAYOUT }, properties };
  await own.rest('DELETE', `_index_template/${alias}`);
  await own.rest('PUT', `${alias}-000001`, { aliases: { [alias]: {} }, mappings });
  const { pipeline, tenants } = await own.another();
  const receipt = { ok: true, outcome: 'created', id: 'x', count: 1, correlationId: null } as const;
  const nothing = { events: [], recoveries: [], enriched: [], decisions: [], groups: [] };
  await pipeline.save({ ...nothing, deliveries: [{ tenant: 'acme', id: 'd', receipt, position: 1, at: NOON }] });
  await tenants.purge('acme');
  expect((await pipeline.load({ deliveries: [{ tenant: 'acme', id: 'd' }] })).deliveries.size).toBe(0);
  await own.wipe();
});

test('a topology of more rows than one transaction takes goes to the last', async () => {
  const tenant = `${RUN}-large`;
  const ids = Array.from({ length: 1_300 }, (_, n) => `ci-${n}`);
  await topology.ports.cis.put(tenant, [aCi('hub', { tenant }), ...ids.map((id) => aCi(id, { tenant }))]);
  await topology.ports.relationships.put(
    tenant,
    ids.map((id) => aRelationship(`r-${id}`, 'hub', id, { tenant })),
  );
  await topology.tenants.purge(tenant);
  expect(await topology.ports.counts.cis(tenant)).toBe(0);
  expect(await topology.ports.topology.getCis(tenant, ['hub', ...ids])).toEqual([]);
  expect(await topology.ports.graph.around(tenant, 'hub', 9_000)).toBeNull();
});
