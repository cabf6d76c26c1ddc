import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import neo4j, { type Driver, type Plan } from 'neo4j-driver';
import type { TopologyPorts } from '#domain/ports/topology/topology-ports.ts';
import { type Neo4jTopology, openNeo4j } from '#infra/neo4j/open-neo4j.ts';
import { hopPattern } from '#infra/neo4j/queries/hops.ts';
import { systemClock } from '#infra/system/time.ts';
import { topologyContract } from '#test/contract/topology-ports.ts';
import { aCi, aRelationship, TENANT } from '#test/contract/topology-samples.ts';
import { addresses } from './addresses.ts';
import { tenantsOfItsOwn } from './tenants-of-its-own.ts';

// A busy machine needs seconds for work of milliseconds when it is idle.
jest.setTimeout(300_000);

let driver: Driver;
let shared: Neo4jTopology;
const opened: Neo4jTopology[] = [];
const clock = { ...systemClock, at: 10_000, now: (): number => clock.at };
/** Prefix of this run, in case these tests run against a server in use. */
const RUN = randomBytes(5).toString('hex');
/** Each needs hundreds of round trips; memory tries more. */
const ESTATES = 8;
let estates = 0;

const openStore = (): Promise<Neo4jTopology> => openNeo4j({ url: addresses().neo4j, clock });

/** Answers name tenants as the test does. */
const renamed = (answer: unknown, prefix: string): unknown => {
  if (typeof answer === 'string') return answer.startsWith(prefix) ? answer.slice(prefix.length) : answer;
  if (Array.isArray(answer)) return answer.map((item) => renamed(item, prefix));
  if (typeof answer !== 'object' || answer === null || answer instanceof Map) return answer;
  return Object.fromEntries(Object.entries(answer).map(([name, value]) => [name, renamed(value, prefix)]));
};

/** Equivalent of an empty store. Recreating the schema is ten times as slow. */
const fresh = (ports: TopologyPorts, estate: number): TopologyPorts => {
  const prefix = `${RUN}-${estate}-`;
  return tenantsOfItsOwn(ports, prefix, (answer) => renamed(answer, prefix));
};
const emptyStore = async (): Promise<TopologyPorts> => fresh(shared.ports, ++estates);

beforeAll(async () => {
  driver = neo4j.driver(addresses().neo4j);
  shared = await openStore();
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((topology) => topology.close()));
});
afterAll(async () => {
  await driver.executeQuery('MATCH (n) WHERE n.tenant STARTS WITH $run DETACH DELETE n', { run: `${RUN}-` });
  await shared.close();
  await driver.close();
});

topologyContract('The topology store on Neo4j', emptyStore, { estates: ESTATES });

describe('Surroundings and bindings in memory', () => {
  const twoProcesses = async () => {
    const ports = await emptyStore();
    const another = await openStore();
    opened.push(another);
    const reader = fresh(another.ports, estates);
    const seen = async () => (await reader.graph.around(TENANT, 'a', 9_000))?.near.map(({ ci }) => ci);
    const bound = async () => (await reader.matcher.bind(TENANT, [{ hostname: 'e' }]))[0]?.ci?.id;
    const announce = () => another.invalidate(null);
    await ports.cis.put(TENANT, [aCi('a'), aCi('b'), aCi('c'), aCi('d')]);
    await ports.relationships.put(TENANT, [aRelationship('1', 'a', 'b')]);
    return { ports, seen, bound, announce };
  };

  test('a change of another process is seen once it is announced', async () => {
    const { ports, seen, bound, announce } = await twoProcesses();
    expect([await seen(), await bound()]).toEqual([['b'], undefined]);
    await ports.relationships.put(TENANT, [aRelationship('2', 'b', 'c')]);
    await ports.cis.put(TENANT, [aCi('e')]);
    expect([await seen(), await bound()]).toEqual([['b'], undefined]);
    announce();
    expect([await seen(), await bound()]).toEqual([['b', 'c'], 'e']);
    await ports.relationships.remove(TENANT, '1', 200);
    await ports.relationships.put(TENANT, [aRelationship('3', 'd', 'a')]);
    announce();
    expect(await seen()).toEqual(['d']);
  });

  test('a change that nobody announced is seen after 60 s', async () => {
    const { ports, seen, bound } = await twoProcesses();
    await Promise.all([seen(), bound()]);
    await ports.relationships.put(TENANT, [aRelationship('2', 'b', 'c')]);
    await ports.cis.put(TENANT, [aCi('e')]);
    clock.at += 60_000;
    expect([await seen(), await bound()]).toEqual([['b'], undefined]);
    clock.at += 1;
    expect([await seen(), await bound()]).toEqual([['b', 'c'], 'e']);
  });
});

describe('Long texts', () => {
  test('what is too long for an index is found all the same', async () => {
    const ports = await emptyStore();
    await ports.cis.put(TENANT, [aCi('a', { description: `${'ü'.repeat(40_000)} Needle` }), aCi('b')]);
    const found = await ports.topology.findCis(TENANT, { search: 'NEEDLE' }, { sort: 'type', order: 'asc', limit: 5 });
    expect(found.items.map(({ id }) => id)).toEqual(['a']);
  });
});

describe('A server that', () => {
  const open = (url: string) => openNeo4j({ url, clock, timeoutMs: 300 });

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
