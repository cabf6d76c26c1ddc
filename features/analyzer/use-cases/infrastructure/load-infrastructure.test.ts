import { expect, test } from '@jest/globals';
import type { Ports } from '#domain/ports/ports.ts';
import { SYSTEM_TENANT } from '#domain/ports/record-store.ts';
import type { Ci, Relationship } from '#domain/topology/topology.ts';
import { MAX_MEMBERS } from '#features/analyzer/rules/communities/found-service.ts';
import { bringSearches } from '#features/analyzer/stores/searches-for-tests.ts';
import { DISCOVERY_KINDS, type NetworkRecord } from '#features/discovery/use-cases/records.ts';
import { openRecordWorld, TENANT } from '#test/setup/record-world.ts';
import { runnerOf } from '#test/setup/tasks.ts';
import { chanceOf } from '../../../../bench/chance.ts';
import { analysisTasks } from './analysis-tasks.ts';
import { withEvidence } from './evidence.ts';
import { readAnalysis } from './read-analysis.ts';
import { ANALYSIS_KINDS, type AnalysisSession } from './records.ts';

const AT = Date.parse('2026-11-20T12:00:00Z');
const ID = 'session-1';

const ciOf = (n: number, name: string, address?: string): Ci => ({
  tenant: TENANT,
  id: `01CI${String(n).padStart(22, '0')}`,
  name,
  type: 'server',
  status: 'active',
  attributes: address === undefined ? {} : { ip_address: address },
  customFields: {},
  createdAt: AT + n,
  updatedAt: AT,
  createdBy: 'test',
  updatedBy: 'test',
  revision: 1,
});

async function analysed(ports: Ports) {
  const session: AnalysisSession = {
    id: ID,
    status: 'running',
    startedAt: AT,
    completedAt: null,
    by: 'ann',
    error: null,
    parts: {},
    counts: {},
  };
  await ports.records.put(SYSTEM_TENANT, 'analysis-queue', TENANT, { tenant: TENANT, id: ID, at: AT });
  await ports.records.put(TENANT, ANALYSIS_KINDS.session, ID, session);
  await runnerOf(analysisTasks, ports).tick();
  return readAnalysis({ ports, tenant: TENANT }, ID, { start: 0, limit: 50 });
}

const connection = (targetIp: string, port: number) => ({
  process: 'java',
  targetIp,
  count: 9,
  ports: [port],
  firstSeen: AT,
  lastSeen: AT,
  seenAt: AT,
});

test('connections and processes that scanners saw count as relationships do', async () => {
  using world = openRecordWorld(bringSearches);
  const { ports } = world;
  await ports.cis.put(TENANT, [
    ciOf(1, 'shop-web-1', '10.0.0.1'),
    ciOf(2, 'shop-app-1', '10.0.0.2'),
    ciOf(3, 'srv-77', '10.0.0.3'),
    // Nobody knows which of the two is meant.
    ciOf(4, 'twin-1', '10.0.0.9'),
    ciOf(5, 'twin-2', '10.0.0.9'),
  ]);
  const networks: Readonly<Record<number, NetworkRecord>> = {
    1: {
      connections: [connection('10.0.0.2', 8080), connection('10.0.0.9', 8080), connection('8.8.8.8', 443)],
      listeners: [],
    },
    2: { connections: [connection('10.0.0.3', 7_777), connection('10.0.0.2', 8080)], listeners: [] },
    3: {
      connections: [],
      listeners: [
        { name: 'postgres', pid: 1, port: 7_777, protocol: 'tcp', description: null, scanner: 's', seenAt: AT },
      ],
    },
  };
  for (const [n, body] of Object.entries(networks))
    await ports.records.put(TENANT, DISCOVERY_KINDS.network, ciOf(Number(n), '').id, body);
  const { session, services } = await analysed(ports);
  expect(session.counts).toMatchObject({ cis: 5, relationships: 0, connections: 2, services: 1, unassigned: 2 });
  expect(services[0]!.members.map(({ name, role }) => [name, role])).toEqual([
    ['shop-web-1', 'web-server'],
    ['shop-app-1', expect.stringMatching(/application-server|unclassified/)],
    ['srv-77', 'database'],
  ]);
});

test('only proposed relationships are none, and a port may be a text', async () => {
  using world = openRecordWorld(bringSearches);
  const { ports } = world;
  await ports.cis.put(TENANT, [ciOf(1, 'a-web'), ciOf(2, 'a-db'), ciOf(3, 'b-web'), ciOf(4, 'dns-1')]);
  const link = (n: number, target: number, discoveredBy: string, attributes = {}) => ({
    tenant: TENANT,
    id: `01RE${String(n).padStart(22, '0')}`,
    type: 'uses',
    source: ciOf(1, '').id,
    target: ciOf(target, '').id,
    attributes,
    discoveredBy,
    confidence: 1,
    createdAt: AT,
    updatedAt: AT,
    revision: 1,
  });
  await ports.relationships.put(TENANT, [link(1, 2, 'manual'), link(2, 3, 'ai'), link(3, 4, 'manual', { port: '53' })]);
  const { session, services } = await analysed(ports);
  expect(session.counts.relationships).toBe(2);
  expect(services.map(({ members }) => members.map(({ name }) => name))).toEqual([['a-web', 'a-db']]);
});

test('a business service of the CMDB names what it consists of, and does no work in it', async () => {
  using world = openRecordWorld(bringSearches);
  const { ports } = world;
  const shop = { ...ciOf(3, 'Web Shop'), type: 'business_service' };
  await ports.cis.put(TENANT, [ciOf(1, 'storefront-web'), ciOf(2, 'cart-db'), shop]);
  const link = (n: number, [source, target]: readonly [number, number]) => ({
    tenant: TENANT,
    id: `01RE${String(n).padStart(22, '0')}`,
    type: 'depends_on',
    source: ciOf(source, '').id,
    target: ciOf(target, '').id,
    attributes: {},
    discoveredBy: 'test',
    confidence: 1,
    createdAt: AT,
    updatedAt: AT,
    revision: 1,
  });
  await ports.relationships.put(TENANT, [link(1, [3, 1]), link(2, [1, 2]), link(3, [2, 1])]);
  const shown = await withEvidence({ ports, tenant: TENANT }, await analysed(ports));
  const [service] = shown.services;
  expect(service).toMatchObject({ name: 'Web Shop', size: 3, linksWithin: 2, category: 'web application' });
  expect(service!.members.at(-1)).toMatchObject({ name: 'Web Shop', role: 'unclassified', tier: 'unclassified' });
  const said = service!.evidence.map(({ text }) => text);
  expect(said).toEqual(
    expect.arrayContaining([
      '3 CIs with 2 connections between them, 0 to other services.',
      'Existing business service in the CMDB: Web Shop.',
      'Receives requests: storefront-web.',
    ]),
  );
});

test('of a very large service the first members are shown', async () => {
  using world = openRecordWorld(bringSearches);
  const { ports } = world;
  const count = MAX_MEMBERS + 10;
  const cis = Array.from({ length: count }, (_, n) => ciOf(n, `shop-app-${n}`));
  await ports.cis.put(TENANT, cis);
  // At random, and many of them: there are no communities.
  const random = chanceOf(3);
  const links = new Map<string, Relationship>();
  for (let n = 0; n < count * 16; n++) {
    const [source, target] = [cis[Math.floor(random() * count)]!.id, cis[Math.floor(random() * count)]!.id];
    const id = `01RE${String(n).padStart(22, '0')}`;
    const made = { attributes: {}, discoveredBy: 'test', confidence: 1, createdAt: AT, updatedAt: AT, revision: 1 };
    if (source !== target)
      links.set(`${source} ${target}`, { tenant: TENANT, id, type: 'uses', source, target, ...made });
  }
  await ports.relationships.put(TENANT, [...links.values()]);
  const { services } = await analysed(ports);
  // Some have too many neighbours.
  expect(services[0]!.size).toBeGreaterThan(MAX_MEMBERS);
  expect(services.map(({ members }) => members.length)).toEqual([MAX_MEMBERS]);
});
