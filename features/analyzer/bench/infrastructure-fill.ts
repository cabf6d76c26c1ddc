/** Fills a data directory with an estate of so many services: `node features/analyzer/bench/infrastructure-fill.ts DIRECTORY SERVICES`. Prints CIs and relationships. */
import type { Ci, Relationship } from '#domain/topology/topology.ts';
import { DEGREES, makeInfrastructure } from '../../../bench/infrastructures.ts';
import { startOn } from '../../../bench/started.ts';
import { makeTenant } from '../../../bench/tenant.ts';

const TENANT = 'infra';
const CHUNK = 1_000;

const [directory = '', services = '100'] = process.argv.slice(2);
const app = await startOn(directory);
await makeTenant(app.url, TENANT);

const { estate } = makeInfrastructure(Number(services), DEGREES[2]!, 1);
const at = app.ports.clock.now() - 3_600_000;
const made = { createdAt: at, updatedAt: at, revision: 1 };
const cis = estate.cis.map(({ id, name, type }): Ci => {
  const n = Number(id.slice(4));
  const attributes = {
    hostname: name,
    os: 'linux',
    cpu_cores: 8,
    ip_address: `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}`,
  };
  return {
    tenant: TENANT,
    id,
    name,
    type,
    status: 'active',
    attributes,
    customFields: {},
    ...made,
    createdBy: 'bench',
    updatedBy: 'bench',
  };
});
const links = new Map<string, Relationship>();
for (const { source: from, target: to, type, port } of estate.links) {
  const [source, target] = [estate.cis[from]!.id, estate.cis[to]!.id];
  const id = `01RE${String(links.size).padStart(22, '0')}`;
  const attributes = port === null ? {} : { port, protocol: 'tcp' };
  const link: Relationship = {
    tenant: TENANT,
    id,
    type,
    source,
    target,
    attributes,
    discoveredBy: 'bench',
    confidence: 1,
    ...made,
  };
  if (!links.has(`${source} ${target} ${type}`)) links.set(`${source} ${target} ${type}`, link);
}
const all = [...links.values()];
for (let n = 0; n < cis.length; n += CHUNK) await app.ports.cis.put(TENANT, cis.slice(n, n + CHUNK));
for (let n = 0; n < all.length; n += CHUNK) await app.ports.relationships.put(TENANT, all.slice(n, n + CHUNK));
console.log(
  JSON.stringify({ cis: cis.length, relationships: all.length, names: cis.slice(0, 2_000).map(({ name }) => name) }),
);
await app.stop();
