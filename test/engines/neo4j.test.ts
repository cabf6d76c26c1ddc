import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import neo4j, { type Driver, type Plan } from 'neo4j-driver';
import type { TopologyStore } from '#domain/ports/topology-store.ts';
import { parseAddress } from '#infra/embedded/topology-address.ts';
import { hopPattern } from '#infra/neo4j/hops.ts';
import { type Neo4jTopology, openNeo4j } from '#infra/neo4j/open-neo4j.ts';
import { aCi, aRelationship, TENANT } from '#test/contract/topology-samples.ts';
import { topologyStoreContract } from '#test/contract/topology-store.ts';
import { addresses } from './addresses.ts';

// Forty estates at five times are thousands of queries.
jest.setTimeout(300_000);

let driver: Driver;
const opened: Neo4jTopology[] = [];
const clock = { at: 10_000, now: () => clock.at };

/** Only what these tests have made, in case somebody gives them a server in use. */
const wipe = async (): Promise<void> => {
  for (const label of ['Ci', 'CiPast', 'Known', 'Tenant'])
    await driver.executeQuery(`MATCH (n:${label}) WHERE n.tenant IN $tenants DETACH DELETE n`, {
      tenants: [TENANT, 'other'],
    });
};

async function openStore(): Promise<Neo4jTopology> {
  const topology = await openNeo4j({ url: addresses().neo4j, clock, parseAddress });
  opened.push(topology);
  return topology;
}

const emptyStore = async (): Promise<TopologyStore> => {
  await wipe();
  return (await openStore()).store;
};

beforeAll(() => {
  driver = neo4j.driver(addresses().neo4j);
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((topology) => topology.close()));
});
afterAll(async () => {
  await wipe();
  await driver.close();
});

topologyStoreContract('The topology store on Neo4j', emptyStore);

describe('Surroundings in memory', () => {
  const seen = async ({ store }: Neo4jTopology) => (await store.around(TENANT, 'a', 9_000))?.near.map(({ ci }) => ci);
  const twoProcesses = async () => {
    const store = await emptyStore();
    await store.putCis(TENANT, [aCi('a'), aCi('b'), aCi('c'), aCi('d')]);
    await store.putRelationships(TENANT, [aRelationship('1', 'a', 'b')]);
    return { store, reader: await openStore() };
  };

  test('a change of another process is seen once it is announced', async () => {
    const { store, reader } = await twoProcesses();
    expect(await seen(reader)).toEqual(['b']);
    await store.putRelationships(TENANT, [aRelationship('2', 'b', 'c')]);
    expect(await seen(reader)).toEqual(['b']);
    reader.invalidate(TENANT);
    expect(await seen(reader)).toEqual(['b', 'c']);
    await store.removeRelationship(TENANT, '1', 200);
    await store.putRelationships(TENANT, [aRelationship('3', 'd', 'a')]);
    reader.invalidate(TENANT);
    expect(await seen(reader)).toEqual(['d']);
  });

  test('a change that nobody announced is seen after 60 s', async () => {
    const { store, reader } = await twoProcesses();
    await seen(reader);
    await store.putRelationships(TENANT, [aRelationship('2', 'b', 'c')]);
    clock.at += 60_000;
    expect(await seen(reader)).toEqual(['b']);
    clock.at += 1;
    expect(await seen(reader)).toEqual(['b', 'c']);
  });
});

describe('Long texts', () => {
  test('what is too long for an index is found all the same', async () => {
    const store = await emptyStore();
    await store.putCis(TENANT, [aCi('a', { description: `${'ü'.repeat(40_000)} Needle` }), aCi('b')]);
    const found = await store.findCis(TENANT, { search: 'NEEDLE' }, { sort: 'type', order: 'asc', limit: 5 });
    expect(found.items.map(({ id }) => id)).toEqual(['a']);
  });
});

describe('A server that', () => {
  const open = (url: string) => openNeo4j({ url, clock, parseAddress, timeoutMs: 300 });

  test('is not there: unavailable', async () => {
    await expect(open('bolt://127.0.0.1:1')).rejects.toMatchObject({ kind: 'unavailable', retryAfter: 5 });
  });

  test('takes connections and never answers: unavailable in time', async () => {
    const sockets: Socket[] = [];
    const silent = createServer((socket) => sockets.push(socket)).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    await expect(open(`bolt://127.0.0.1:${port}`)).rejects.toMatchObject({ kind: 'unavailable', retryAfter: 5 });
    for (const socket of sockets) socket.destroy();
    silent.close();
  });
});

test('hops are walked breadth first, each CI once', async () => {
  await emptyStore();
  const pattern = hopPattern({ direction: 'both', types: ['uses'], asOf: 1 }, 3);
  const { summary } = await driver.executeQuery(
    `EXPLAIN MATCH (a:Ci {tenant: $tenant, id: $id}) MATCH ${pattern} WHERE b <> a RETURN b.id, min(size(r))`,
    { tenant: TENANT, id: 'a', types: [], asOf: 1 },
  );
  const operators = (plan: Plan): string[] => [plan.operatorType, ...plan.children.flatMap(operators)];
  expect(operators(summary.plan as Plan).join()).toContain('VarLengthExpand(Pruning,BFS');
});
