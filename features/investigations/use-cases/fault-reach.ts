import type { Ports } from '#domain/ports/ports.ts';
import { CAUSE_TYPES } from '#domain/topology/topology.ts';
import type { FaultReach, HypothesisCi } from '#features/investigations/rules/investigation.ts';

/** Maximum number of dependents, of dependencies, and of hops to dependencies. */
const DEPENDENTS = 1_000;
const NEEDS = 100;
const HOPS = 3;

const NOTHING: FaultReach = { dependents: [], isCut: false, needs: [] };

/** Returns the CIs around a possible cause; none for a deleted CI. */
export const faultReach = async (
  { graph, topology }: Pick<Ports, 'graph' | 'topology'>,
  tenant: string,
  ci: HypothesisCi | null,
): Promise<FaultReach> => {
  if (ci === null || (await topology.getCis(tenant, [ci.id])).length === 0) return NOTHING;
  const [impact, above] = await Promise.all([
    graph.impact(tenant, [ci.id], { limit: DEPENDENTS }),
    graph.neighbourhood(tenant, ci.id, { hops: HOPS, direction: 'up', types: CAUSE_TYPES, limit: NEEDS }),
  ]);
  const named = ({ ci: id, name, hops }: { readonly ci: string; readonly name: string; readonly hops: number }) => ({
    id,
    name,
    hops,
  });
  return {
    dependents: impact.impacted.filter((one) => one.ci !== ci.id).map(named),
    isCut: impact.truncated,
    needs: above.nodes.filter(({ hops }) => hops > 0).map(named),
  };
};
