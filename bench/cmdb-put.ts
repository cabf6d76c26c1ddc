import type { TopologyPorts } from '#domain/ports/topology/topology-ports.ts';
import { systemClock } from '#infra/system/time.ts';
import { estateRelationships, infrastructureCis, TENANT } from './cmdb-infrastructure.ts';

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

/** Puts the estate into a store; returns the number of relationships. */
export const fillInfrastructure = async (
  ports: Pick<TopologyPorts, 'cis' | 'relationships'>,
  cis: number,
): Promise<number> => {
  const now = systemClock.now();
  await inBatches(infrastructureCis(cis, now), (batch) => ports.cis.put(TENANT, batch));
  return inBatches(estateRelationships(cis, now), (batch) => ports.relationships.put(TENANT, batch));
};
