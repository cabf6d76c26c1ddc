import type { QueryContext } from '#application/access/context.ts';
import type { Impact } from '#domain/topology/topology.ts';
import { downNow } from './down-now.ts';
import { type ServiceHit, servicesHit } from './services-hit.ts';

interface ImpactNowOptions {
  readonly limit: number;
  readonly types?: readonly string[];
}

export interface ImpactNow {
  readonly impact: Impact;
  readonly services: readonly ServiceHit[];
}

/** Impact in which CIs that are down provide no redundancy. Throws Fault `not-found`. */
export async function impactNow(
  asking: QueryContext,
  ciIds: readonly string[],
  options: ImpactNowOptions,
): Promise<ImpactNow> {
  const { down } = await downNow(asking);
  const impact = await asking.ports.graph.impact(asking.tenant, ciIds, { ...options, down: [...down.keys()] });
  const failed = new Set([...ciIds, ...impact.impacted.map(({ ci }) => ci)]);
  return { impact, services: await servicesHit(asking, failed, down) };
}
