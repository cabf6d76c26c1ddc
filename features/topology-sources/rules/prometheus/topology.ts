import type { WantedSet } from '#features/topology-sources/rules/wanted.ts';
import { addCalls, ServiceNames } from './calls.ts';
import { Collected, type PodBinding } from './collected.ts';
import { addHosts } from './hosts.ts';
import { addKubernetes } from './kubernetes.ts';
import type { SeriesByQuery } from './queries.ts';

export interface FoundTopology {
  readonly set: WantedSet;
  readonly pods: readonly PodBinding[];
}

/** Builds the topology from series. `cluster`: default for series without a cluster label. */
export function topologyOf(series: SeriesByQuery, cluster: string | null): FoundTopology {
  const found = new Collected(cluster);
  addKubernetes(series, found);
  addHosts(series, found);
  addCalls(series, new ServiceNames(found, found.objects()), found);
  return { set: found.set(), pods: found.pods };
}
