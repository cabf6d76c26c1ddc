import { edgesAround } from '#application/services/edges.ts';
import { everyService } from '#application/services/service-store.ts';
import type { Ports } from '#domain/ports/ports.ts';
import {
  DEPENDENCY_HOPS,
  dependencyOn,
  reachedDownstream,
  reachedUpstream,
  type ServiceDependency,
  servicesByCi,
} from '#domain/services/dependencies.ts';
import type { Service } from '#domain/services/service.ts';
import type { Direction } from '#domain/topology/topology.ts';

export interface FoundDependencies {
  readonly upstream: readonly ServiceDependency[];
  readonly downstream: readonly ServiceDependency[];
}

/** Services shown in each direction. */
const SHOWN = 100;

const byName = (a: ServiceDependency, b: ServiceDependency): number => (a.service.name < b.service.name ? -1 : 1);

/** Dependencies and dependants of the service, by the relationships of today. */
export const findDependencies = async (
  ports: Pick<Ports, 'graph' | 'records'>,
  tenant: string,
  service: Service,
): Promise<FoundDependencies> => {
  const services = await everyService(ports.records, tenant);
  const byCi = servicesByCi(services);
  const edges = ({ components }: Service, direction: Direction) =>
    edgesAround(
      ports,
      tenant,
      components.map(({ ciId }) => ciId),
      { direction, hops: DEPENDENCY_HOPS, over: 'dependency' },
    );
  // Services of one reading know themselves from each other.
  const own = services.find(({ id }) => id === service.id) ?? service;
  const up = await edges(service, 'up');
  const upstream = reachedUpstream(own, up, byCi).slice(0, SHOWN);
  const downstream = reachedDownstream(own, await edges(service, 'down'), byCi).slice(0, SHOWN);
  const needing: ServiceDependency[] = [];
  for (const other of downstream)
    needing.push({ service: other, ...dependencyOn(other, own, await edges(other, 'up'), byCi) });
  return {
    upstream: upstream.map((other) => ({ service: other, ...dependencyOn(own, other, up, byCi) })).sort(byName),
    downstream: needing.sort(byName),
  };
};
