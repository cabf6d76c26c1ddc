import type { UseCaseContext } from '#application/access/context.ts';
import type { Service } from '#domain/services/service.ts';
import { lossOf } from '#domain/topology/graph/redundancy.ts';

/** A service of which components fail. */
export interface ServiceHit {
  readonly service: Service;
  readonly impact: 'full_outage' | 'degraded_functionality';
  /** Ids of the components that fail. */
  readonly components: readonly string[];
}

/** A service that has what it needs of every redundant group works on, with less. */
const hit = (service: Service, failed: ReadonlySet<string>): ServiceHit => {
  const { components } = service;
  const loss = lossOf(components.map(({ ciId, redundancy }) => ({ redundancy, loss: failed.has(ciId) ? 1 : 0 })));
  return {
    service,
    impact: loss === 1 ? 'full_outage' : 'degraded_functionality',
    components: components.map(({ ciId }) => ciId).filter((ciId) => failed.has(ciId)),
  };
};

/** Business services with a component among the CIs, by name. */
export const servicesHit = async (
  { tenant, ports, receivedAt }: Pick<UseCaseContext, 'tenant' | 'ports' | 'receivedAt'>,
  failed: ReadonlySet<string>,
): Promise<ServiceHit[]> => {
  const byCi = await ports.memory.services.of(tenant, receivedAt);
  const services = new Set([...failed].flatMap((ci) => byCi.get(ci) ?? []));
  return [...services]
    .map((service) => hit(service, failed))
    .sort((a, b) => (a.service.name < b.service.name ? -1 : 1));
};
