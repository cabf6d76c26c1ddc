import { edgesAround } from '#application/services/edges.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { healthOf, lossesOf, type OpenCounts, UPSTREAM } from '#domain/services/health.ts';
import type { Service } from '#domain/services/service.ts';
import { slices } from '#domain/slices.ts';
import { maintainedUntil } from '#domain/topology/maintenance.ts';
import type { HealthyService } from '#features/services/schemas/services.ts';

/** CIs whose open events are counted in one call. */
const CIS_PER_CALL = 10_000;

const openOn = async (
  { eventCounts }: Pick<Ports, 'eventCounts'>,
  tenant: string,
  ciIds: readonly string[],
): Promise<ReadonlyMap<string, OpenCounts>> => {
  const open = new Map<string, OpenCounts>();
  for (const some of slices(ciIds, CIS_PER_CALL))
    for (const [ci, counts] of await eventCounts.openOn(tenant, some)) open.set(ci, counts);
  return open;
};

type HealthPorts = Pick<Ports, 'eventCounts' | 'graph' | 'topology' | 'clock'>;

const absentNow = async ({ topology, clock }: HealthPorts, tenant: string): Promise<ReadonlySet<string>> => {
  const now = clock.now();
  const all = await topology.inMaintenance(tenant);
  return new Set(all.flatMap(({ ciId, maintenance }) => (maintainedUntil(maintenance, now) === null ? [] : [ciId])));
};

const lossesAbout = async (
  ports: HealthPorts,
  tenant: string,
  services: readonly Service[],
  absent: ReadonlySet<string>,
): Promise<ReadonlyMap<string, number>> => {
  const components = new Set(services.flatMap((service) => service.components.map(({ ciId }) => ciId)));
  const edges = await edgesAround(ports, tenant, components, { direction: 'up', hops: UPSTREAM.hops, over: 'cause' });
  const involved = new Set([...components, ...edges.map(({ target }) => target)]);
  return lossesOf(await openOn(ports, tenant, [...involved]), edges, absent);
};

/** The losses of the components of these services, and of the CIs that they depend on. */
export const lossesOn = async (
  ports: HealthPorts,
  tenant: string,
  services: readonly Service[],
): Promise<ReadonlyMap<string, number>> => lossesAbout(ports, tenant, services, await absentNow(ports, tenant));

/** Services with their current health. */
export const assess = async (
  ports: HealthPorts,
  tenant: string,
  services: readonly Service[],
): Promise<HealthyService[]> => {
  const absent = await absentNow(ports, tenant);
  const losses = await lossesAbout(ports, tenant, services, absent);
  return services.map((service) => ({ service, health: healthOf(service.components, losses, absent) }));
};
