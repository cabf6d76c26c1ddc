import type { Ports } from '#domain/ports/ports.ts';
import { SourceError } from '#features/topology-sources/rules/connection.ts';
import { seriesOf } from '#features/topology-sources/rules/kubernetes/objects.ts';
import type { SeriesByQuery } from '#features/topology-sources/rules/prometheus/queries.ts';
import type { TopologySource } from '#features/topology-sources/rules/source.ts';

/** Reads the objects of a cluster, which are followed from the first time on. Throws SourceError. */
export async function readKubernetes(
  { clusters }: Pick<Ports, 'clusters'>,
  source: TopologySource,
  tenant: string,
): Promise<SeriesByQuery> {
  try {
    return seriesOf((await clusters.watch(tenant, source)).objects);
  } catch (error) {
    throw new SourceError((error as Error).message, { cause: error });
  }
}
