import type { z } from 'zod';
import type { Context } from '#api/surfaces/endpoint.ts';
import { assertRetained, atTime, findCi, requirePast } from '#application/cmdb/as-of.ts';
import { impactNow } from '#application/services/impact-now.ts';
import { type ServiceHit, servicesHit } from '#application/services/services-hit.ts';
import { type Ci, type Impact, relationshipType } from '#domain/topology/topology.ts';
import type { ImpactBody } from '#schemas/http/cmdb/hops.ts';

/** Maximum of CIs walked, and shown. */
export const MAX_IMPACT = 10_000;
export const DEFAULT_SHOWN = 1_000;

export const FOLLOWED =
  'Relationship types to follow; redundancy is evaluated within these. Default: all types that propagate failures.';

export interface FoundImpact {
  /** CIs that fail, each once. */
  readonly cis: readonly Ci[];
  readonly impact: Impact;
  readonly services: z.output<typeof ImpactBody>['services'];
}

const shown = ({ service: { id, name, criticality }, impact, components }: ServiceHit) => ({
  id,
  name,
  criticality,
  impact,
  components: [...components],
});

/** Returns CIs in the order of the request; throws Fault `not-found` for the first unknown one. */
async function failing(context: Context, ids: readonly string[], asOf: number | undefined): Promise<readonly Ci[]> {
  const different = [...new Set(ids)];
  const found = await context.ports.topology.getCis(context.tenant, different, asOf);
  const known = new Map(found.map((ci) => [ci.id, ci]));
  const cis = new Map<string, Ci>();
  // Former ids are resolved one by one, as are missing ones.
  for (const id of different) {
    const ci = known.get(id) ?? (await findCi(context, id, asOf));
    cis.set(ci.id, ci);
  }
  return [...cis.values()];
}

export interface ImpactAsked {
  readonly asOf: number | undefined;
  /** None: all over which faults travel. */
  readonly types: readonly string[];
}

/** The impact of these CIs failing together. */
export async function findImpact(
  context: Context,
  ids: readonly string[],
  { asOf, types }: ImpactAsked,
): Promise<FoundImpact> {
  const { tenant, ports } = context;
  requirePast(asOf, context);
  const cis = await failing(context, ids, asOf);
  assertRetained(asOf, context);
  const starts = cis.map(({ id }) => id);
  const options = { limit: MAX_IMPACT, types: types.map(relationshipType) };
  if (asOf === undefined) {
    const { impact, services } = await impactNow(context, starts, options);
    return { cis, impact, services: services.map(shown) };
  }
  const impact = await ports.graph.impact(tenant, starts, { ...options, ...atTime(asOf) });
  const failed = new Set([...starts, ...impact.impacted.map(({ ci }) => ci)]);
  return { cis, impact, services: (await servicesHit(context, failed)).map(shown) };
}
