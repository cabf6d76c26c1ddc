import type { Ports } from '#domain/ports/ports.ts';
import { failureWithout, SourceError } from '#features/topology-sources/rules/connection.ts';
import type { ClusterWatch } from '#features/topology-sources/rules/kubernetes/clusters.ts';
import type { TopologySource } from '#features/topology-sources/rules/source.ts';

/** Lists the objects of a cluster, which are followed from the first time on. Throws SourceError. */
export async function watchKubernetes(
  { clusters }: Pick<Ports, 'clusters'>,
  source: TopologySource,
  tenant: string,
): Promise<ClusterWatch> {
  try {
    return await clusters.watch(tenant, source);
  } catch (error) {
    if (error instanceof SourceError) throw error;
    throw new SourceError((error as Error).message, failureWithout((error as Error).cause), { cause: error });
  }
}
