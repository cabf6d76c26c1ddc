/** Four engines, an `api` and a `worker` on this machine, with tenants and their CIs. */
import { mkdirSync } from 'node:fs';
import { readEnginesConfig } from '#infra/config.ts';
import { openNeo4j } from '#infra/neo4j/open-neo4j.ts';
import { systemClock } from '#infra/system/time.ts';
import { type Engines, startEngines } from '#tools/engines/start-engines.ts';
import type { Components } from './distributed-cpu.ts';
import { type Running, startWith } from './server.ts';
import type { StormTenant } from './storm.ts';
import { topologyOf } from './storm-topology.ts';
import { makeTenant } from './tenant.ts';

export interface DistributedScene {
  readonly url: string;
  readonly broker: string;
  /** Process ids by component. */
  readonly pids: Components;
  stop(): Promise<void>;
}

const DAY_MS = 24 * 3_600_000;
const CHUNK = 2_000;
const now = systemClock.now();
/** As `npm start` has it. */
const QUIET = ['--disable-warning=TimeoutNegativeWarning'];

async function inChunks<T>(all: readonly T[], put: (chunk: readonly T[]) => Promise<void>): Promise<void> {
  for (let from = 0; from < all.length; from += CHUNK) await put(all.slice(from, from + CHUNK));
}

/** The trees and links that `fill.ts` makes. */
const fillTopology = async (neo4jUrl: string, tenants: readonly StormTenant[]): Promise<void> => {
  const { ports, close } = await openNeo4j({ url: neo4jUrl, clock: systemClock });
  for (const tenant of tenants) {
    const { cis, relationships } = topologyOf(tenant, now - DAY_MS);
    await inChunks(cis, (chunk) => ports.cis.put(tenant.id, chunk));
    await inChunks(relationships, (chunk) => ports.relationships.put(tenant.id, chunk));
  }
  await close();
};

/** `profiles`: a folder for processor profiles of `api` and `worker`; null for none. */
export const startFaultline = async (
  engines: Engines,
  profiles: string | null,
): Promise<Record<'api' | 'worker', Running>> => {
  const env = { ...engines.addresses, FAULTLINE_MODE: 'distributed' };
  const options = (role: string): readonly string[] => {
    if (profiles === null) return QUIET;
    mkdirSync(profiles, { recursive: true });
    return [...QUIET, '--cpu-prof', `--cpu-prof-dir=${profiles}`, `--cpu-prof-name=${role}.cpuprofile`];
  };
  const api = await startWith({ ...env, FAULTLINE_ROLE: 'api' }, options('api'));
  const worker = await startWith({ ...env, FAULTLINE_ROLE: 'worker' }, options('worker'));
  return { api, worker };
};

export const openScene = async (
  tenants: readonly StormTenant[],
  { profiles, progress }: { readonly profiles: string | null; readonly progress: (line: string) => void },
): Promise<DistributedScene> => {
  const engines = await startEngines({ ...readEnginesConfig(), progress });
  try {
    progress('filling the topology');
    await fillTopology(engines.addresses.NEO4J_URL!, tenants);
    progress('starting api and worker');
    const { api, worker } = await startFaultline(engines, profiles);
    for (const { id } of tenants) await makeTenant(api.url, id);
    const ofEngines = Object.entries(engines.engine).map(([name, { pid }]) => [name, pid!]);
    return {
      url: api.url,
      broker: engines.addresses.KAFKA_BROKERS!,
      pids: { ...Object.fromEntries(ofEngines), api: api.pid, worker: worker.pid, 'load generator': process.pid },
      async stop() {
        await api.stop();
        await worker.stop();
        await engines.stop();
      },
    };
  } catch (error) {
    await engines.stop();
    throw error;
  }
};
