import type { TopologyPorts } from '#domain/ports/topology/topology-ports.ts';
import type { ArrivalTopology } from '#domain/topology/near.ts';
import type { Ci, Relationship } from '#domain/topology/topology.ts';

export const TENANT = 'acme';

export const aCi = (id: string, parts: Partial<Ci> = {}): Ci => ({
  tenant: TENANT,
  id,
  name: id,
  type: 'server',
  status: 'active',
  attributes: {},
  customFields: {},
  createdAt: 100,
  updatedAt: parts.createdAt ?? 100,
  createdBy: 'tester',
  updatedBy: 'tester',
  revision: 1,
  ...parts,
});

/** `source` depends on `target`. */
export const aRelationship = (
  id: string,
  source: string,
  target: string,
  parts: Partial<Relationship> = {},
): Relationship => ({
  tenant: TENANT,
  id,
  type: 'depends_on',
  source,
  target,
  attributes: {},
  discoveredBy: 'manual',
  confidence: 1,
  createdAt: 100,
  updatedAt: parts.createdAt ?? 100,
  revision: 1,
  ...parts,
});

/** Helpers for most cases with the currently open ports. */
export const topologyUnderTest = (ports: () => TopologyPorts) => {
  const cis = (...made: readonly Ci[]) => ports().cis.put(TENANT, made);
  return {
    cis,
    named: (...ids: readonly string[]) => cis(...ids.map((id) => aCi(id))),
    join: (...made: readonly Relationship[]) => ports().relationships.put(TENANT, made),
    around: async (ci: string, asOf = 9_000): Promise<ArrivalTopology> =>
      (await ports().graph.around(TENANT, ci, asOf))!,
  };
};
