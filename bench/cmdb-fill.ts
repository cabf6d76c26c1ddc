/** Fills a data directory with the estate of the CMDB part: `node bench/cmdb-fill.ts DIRECTORY CIS`. Prints the number of relationships. */
import { start } from '#app';
import type { TopologyStore } from '#domain/ports/topology-store.ts';
import { readConfig } from '#infra/config.ts';
import { systemClock } from '#infra/system/clock.ts';
import { estateCis, estateRelationships, TENANT } from './cmdb-estate.ts';
import { TOKEN } from './token.ts';

const BATCH = 5_000;

const inBatches = async <T>(list: Iterable<T>, put: (batch: readonly T[]) => Promise<void>): Promise<number> => {
  let batch: T[] = [];
  let count = 0;
  for (const one of list) {
    batch.push(one);
    if (batch.length < BATCH) continue;
    await put(batch);
    count += batch.length;
    batch = [];
  }
  if (batch.length > 0) await put(batch);
  return count + batch.length;
};

const fillEstate = async (topology: TopologyStore, cis: number): Promise<number> => {
  const now = systemClock.now();
  await inBatches(estateCis(cis, now), (batch) => topology.putCis(TENANT, batch));
  return inBatches(estateRelationships(cis, now), (batch) => topology.putRelationships(TENANT, batch));
};

const [directory = '', cis = '1000'] = process.argv.slice(2);
const app = await start(
  readConfig({
    ...{ FAULTLINE_DATA: directory, PORT: '0', FAULTLINE_BOOTSTRAP_TOKEN: TOKEN },
    ...{ FAULTLINE_LIMIT_SCALE: '0', FAULTLINE_LOG_LEVEL: 'warn' },
  }),
);
const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' };
await fetch(`${app.url}/api/admin/tenants`, { method: 'POST', headers, body: JSON.stringify({ id: TENANT }) });
console.log(await fillEstate(app.ports.topology, Number(cis)));
await app.stop();
