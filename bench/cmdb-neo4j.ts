/**
 * The questions of the CMDB part, asked of an empty Neo4j through the store alone: `node bench/cmdb-neo4j.ts bolt://HOST:PORT CIS`.
 * The estate stays there.
 */
import type { TopologyPorts } from '#domain/ports/topology/topology-ports.ts';
import { openNeo4j } from '#infra/neo4j/open-neo4j.ts';
import { systemClock } from '#infra/system/time.ts';
import { ciIdOf, placesOf, TENANT } from './cmdb-infrastructure.ts';
import { fillInfrastructure } from './cmdb-put.ts';
import { percentile } from './load.ts';
import { type Row, tableOf } from './report.ts';
import { seeded } from './storm.ts';

const ASKED = 100;
const WARM_UP = 20;

const [url = '', count = '1000'] = process.argv.slice(2);
const cis = Number(count);
const random = seeded(3);
const any = (): string => ciIdOf(Math.floor(random() * cis));
const storage = (): string => {
  const { from, count: storages } = placesOf(cis).get('storage')!;
  return ciIdOf(from + Math.floor(random() * storages));
};

const page = { sort: 'name', order: 'asc', limit: 20 } as const;
const questions: Readonly<Record<string, (ports: TopologyPorts, n: number) => Promise<unknown>>> = {
  'list of CIs': (ports) => ports.topology.findCis(TENANT, {}, page),
  'list of CIs by type': (ports) => ports.topology.findCis(TENANT, { types: ['server'] }, page),
  'search of CIs': (ports, n) => ports.topology.findCis(TENANT, { search: `host-${n}` }, page),
  'neighbourhood, 2 hops': (ports) =>
    ports.graph.neighbourhood(TENANT, any(), { hops: 2, direction: 'both', limit: 200 }),
  'impact of any CI': (ports) => ports.graph.impact(TENANT, [any()], { limit: 10_000 }),
  'impact of a storage': (ports) => ports.graph.impact(TENANT, [storage()], { limit: 10_000 }),
  'way between two CIs': (ports) => ports.graph.path(TENANT, any(), any(), { maxHops: 20, direction: 'both' }),
};

const timesOf = async (ask: (n: number) => Promise<unknown>): Promise<number[]> => {
  const times: number[] = [];
  for (let n = 0; n < WARM_UP + ASKED; n++) {
    const began = performance.now();
    await ask(n);
    if (n >= WARM_UP) times.push(performance.now() - began);
  }
  return times.sort((a, b) => a - b);
};

const { ports, close } = await openNeo4j({ url, clock: systemClock });
const began = performance.now();
const relationships = await fillInfrastructure(ports, cis);
const seconds = (performance.now() - began) / 1_000;
const rows: Row[] = [
  {
    what: `filling, ${cis} CIs and ${relationships} relationships`,
    value: (cis + relationships) / seconds,
    unit: '/s',
  },
];
for (const [what, ask] of Object.entries(questions)) {
  const times = await timesOf((n) => ask(ports, n));
  rows.push({ what: `${what}, p50`, value: percentile(times, 0.5), unit: 'ms' });
  rows.push({ what: `${what}, p99`, value: percentile(times, 0.99), unit: 'ms' });
}
console.log(tableOf(rows));
await close();
