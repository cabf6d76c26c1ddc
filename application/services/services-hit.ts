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

type IsDown = Pick<ReadonlySet<string>, 'has'>;

/** A service with the required members of every redundant group continues, with less capacity. */
const hit = (service: Service, failed: ReadonlySet<string>, isDown: IsDown): ServiceHit => {
  const { components } = service;
  const loss = lossOf(
    components.map(({ ciId, redundancy }) => {
      const isLost = failed.has(ciId) || (redundancy !== null && isDown.has(ciId));
      return { redundancy, loss: isLost ? 1 : 0 };
    }),
  );
  return {
    service,
    impact: loss === 1 ? 'full_outage' : 'degraded_functionality',
    components: components.map(({ ciId }) => ciId).filter((ciId) => failed.has(ciId)),
  };
};

export const servicesHit = async (
  { tenant, ports, receivedAt }: Pick<UseCaseContext, 'tenant' | 'ports' | 'receivedAt'>,
  failed: ReadonlySet<string>,
  isDown: IsDown = new Set(),
): Promise<ServiceHit[]> => {
  const byCi = await ports.memory.services.of(tenant, receivedAt);
  const services = new Set([...failed].flatMap((ci) => byCi.get(ci) ?? []));
  return [...services]
    .map((service) => hit(service, failed, isDown))
    .sort((a, b) => (a.service.name < b.service.name ? -1 : 1));
};
