import type { Asker } from '#application/access/audit.ts';
import { pause } from '#application/records/pause.ts';
import { isConflict, isUnavailable } from '#domain/fault.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { hearClusters } from './kubernetes/hear-clusters.ts';
import { runStored } from './run-source.ts';
import { dueSources, isDueNow, setDue } from './stored/source-store.ts';

/** Maximum number of concurrent runs per process. */
const AT_ONCE = 4;
const LOOK_MS = 500;

/** Audit entries name the job as the actor. */
const SYSTEM: Asker = {
  actor: { id: 'topology-sources', username: 'topology-sources', name: 'Topology sources' },
  address: '',
  department: null,
};

async function runOne(ports: Ports, tenant: string, name: string, isStopping: () => boolean): Promise<void> {
  const options = { isDryRun: false, isConfirmed: false, isStopping, waits: 0, asker: SYSTEM };
  try {
    if (!(await isDueNow(ports.records, tenant, name, ports.clock.now()))) return;
    if ((await runStored({ ports, tenant }, name, options)) === null) await setDue(ports.records, tenant, name, null);
  } catch (error) {
    // The state contains the error; a run in another process sets the next time.
    if (!isUnavailable(error) && !isConflict(error)) throw error;
  }
}

/**
 * Receives what the watched clusters report. Runs all due sources of all tenants, and sources that become due meanwhile, so that a long run delays no other
 * source.
 */
export async function runDueSources(ports: Ports, isStopping: () => boolean): Promise<void> {
  const running = new Map<string, Promise<void>>();
  const errors: unknown[] = [];
  do {
    await hearClusters(ports, isStopping).catch((error) => void errors.push(error));
    for (const { tenant, name } of await dueSources(ports.records, ports.clock.now())) {
      const key = `${tenant}/${name}`;
      if (running.size >= AT_ONCE || running.has(key) || isStopping()) continue;
      const run = runOne(ports, tenant, name, isStopping)
        .catch((error) => void errors.push(error))
        .finally(() => running.delete(key));
      running.set(key, run);
    }
    if (running.size > 0) await Promise.race([...running.values(), pause(LOOK_MS)]);
  } while (running.size > 0 && !isStopping());
  await Promise.all(running.values());
  if (errors.length > 0) throw new Error(`Couldn't run ${errors.length} topology sources`, { cause: errors[0] });
}
