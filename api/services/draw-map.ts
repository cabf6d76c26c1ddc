import { lossesOn } from '#application/services/assess.ts';
import { findDependencies } from '#application/services/find-dependencies.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { healthOf } from '#domain/services/health.ts';
import type { Service } from '#domain/services/service.ts';
import { drawServiceMap } from '#schemas/http/services/service-map.ts';
import { iso } from '#schemas/http/time.ts';

/** Services drawn in each direction. */
const DRAWN = 25;

export const drawMap = async (ports: Ports, tenant: string, service: Service): Promise<string> => {
  const found = await findDependencies(ports, tenant, service);
  const [upstream, downstream] = [found.upstream.slice(0, DRAWN), found.downstream.slice(0, DRAWN)];
  const services = [service, ...[...upstream, ...downstream].map((one) => one.service)];
  const losses = await lossesOn(ports, tenant, services);
  const components = service.components.map(({ ciId }) => ciId);
  const names = new Map((await ports.topology.getCis(tenant, components)).map(({ id, name }) => [id, name]));
  const health = new Map(services.map(({ id, components }) => [id, healthOf(components, losses)]));
  return drawServiceMap({ service, upstream, downstream, health, names, losses, drawnAt: iso(ports.clock.now()) });
};
