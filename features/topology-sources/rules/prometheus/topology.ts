import type { Stepwise } from '#domain/ports/clock.ts';
import type { WantedSet } from '#features/topology-sources/rules/wanted.ts';
import { addCalls, serviceNames } from './calls.ts';
import { Collected, type PodBinding } from './collected.ts';
import { addHosts } from './hosts.ts';
import { addKubernetes } from './kubernetes.ts';
import type { SeriesByQuery } from './queries.ts';

export interface FoundTopology {
  readonly set: WantedSet;
  readonly pods: readonly PodBinding[];
}

/** Builds the topology from series. `cluster`: default for series without a cluster label. */
export function* topologyOf(series: SeriesByQuery, cluster: string | null): Stepwise<FoundTopology> {
  const found = new Collected(cluster);
  yield* addKubernetes(series, found);
  yield* addHosts(series, found);
  yield* addCalls(series, yield* serviceNames(found), found);
  return { set: yield* found.set(), pods: found.pods };
}
