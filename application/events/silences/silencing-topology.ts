import type { KnownSilences } from '#domain/ports/memory.ts';
import type { TopologyPorts } from '#domain/ports/topology/topology-ports.ts';

type TopologyStores = Pick<TopologyPorts, 'cis' | 'relationships'>;

/**
 * Notifies silences of every change that this process makes of CIs and relationships: the CIs below another may change.
 */
export const silencingTopology = ({ cis, relationships }: TopologyStores, silences: KnownSilences): TopologyStores => {
  const told = async <T>(tenant: string, change: Promise<T>): Promise<T> => {
    try {
      return await change;
    } finally {
      silences.topologyChanged(tenant);
    }
  };
  return {
    cis: {
      put: (tenant, ...asked) => told(tenant, cis.put(tenant, ...asked)),
      remove: (tenant, ...asked) => told(tenant, cis.remove(tenant, ...asked)),
      merge: (tenant, ...asked) => told(tenant, cis.merge(tenant, ...asked)),
      seen: cis.seen,
    },
    relationships: {
      put: (tenant, ...asked) => told(tenant, relationships.put(tenant, ...asked)),
      remove: (tenant, ...asked) => told(tenant, relationships.remove(tenant, ...asked)),
    },
  };
};
