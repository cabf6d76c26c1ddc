import type { z } from 'zod';
import type { Context } from '#api/surfaces/endpoint.ts';
import { atTime, findCi, requireKept, requirePast } from '#application/cmdb/as-of.ts';
import { type ServiceHit, servicesHit } from '#application/services/services-hit.ts';
import { type Ci, type Impact, relationshipType } from '#domain/topology/topology.ts';
import type { ImpactBody } from '#schemas/http/cmdb/hops.ts';

/** CIs looked at, and shown. */
export const MAX_IMPACT = 10_000;
export const DEFAULT_SHOWN = 1_000;

export const FOLLOWED =
  'Types of the relationships that faults travel over; redundancy is judged among these. Without: all that faults can travel over.';

export interface FoundImpact {
  /** Those that fail, each once. */
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

/** In the order in which they were asked for; throws Fault `not-found` for the first that there is not. */
async function failing(context: Context, ids: readonly string[], asOf: number | undefined): Promise<readonly Ci[]> {
  const different = [...new Set(ids)];
  const found = await context.ports.topology.getCis(context.tenant, different, asOf);
  const known = new Map(found.map((ci) => [ci.id, ci]));
  const cis = new Map<string, Ci>();
  // One that is known by a former id is looked for by itself, as is one that is missing.
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
  requireKept(asOf, context);
  const starts = cis.map(({ id }) => id);
  const impact = await ports.graph.impact(tenant, starts, {
    limit: MAX_IMPACT,
    types: types.map(relationshipType),
    ...atTime(asOf),
  });
  const failed = new Set([...starts, ...impact.impacted.map(({ ci }) => ci)]);
  return { cis, impact, services: (await servicesHit(context, failed)).map(shown) };
}
