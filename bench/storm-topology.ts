/** The CIs of a tenant of the storm: a tree within each service, and a link between neighbouring services now and then. */
import type { Ci, Relationship } from '#domain/topology/topology.ts';
import { randomIds } from '#test/setup/random-ids.ts';
import { hostOf, parentOf, type StormTenant } from './storm.ts';

const TYPES = ['server', 'database', 'application', 'switch'];

const ciOf = (tenant: string, n: number, at: number): Ci => ({
  tenant,
  id: randomIds.ulid(),
  name: hostOf(n),
  type: TYPES[n % TYPES.length]!,
  status: 'active',
  attributes: { hostname: hostOf(n) },
  customFields: {},
  createdBy: 'bench',
  updatedBy: 'bench',
  createdAt: at,
  updatedAt: at,
  revision: 1,
});

const relationshipOf = (source: Ci, target: Ci, at: number): Relationship => ({
  tenant: source.tenant,
  id: randomIds.ulid(),
  type: 'depends_on',
  source: source.id,
  target: target.id,
  attributes: { criticality: 'high' },
  discoveredBy: 'bench',
  confidence: 1,
  createdAt: at,
  updatedAt: at,
  revision: 1,
});

/** `at`: when they were made, ms. */
export const topologyOf = (
  { id, cis: count }: StormTenant,
  at: number,
): { cis: Ci[]; relationships: Relationship[] } => {
  const cis = Array.from({ length: count }, (_, n) => ciOf(id, n, at));
  const relationships = cis.flatMap((ci, n) => {
    const above = parentOf(n) ?? (n > 0 && n % 3 === 0 ? n - 1 : null);
    const beside = n % 2 === 0 && n >= 50 ? cis[n - 50] : undefined;
    const targets = [above === null ? undefined : cis[above], beside];
    return targets.filter((target) => target !== undefined).map((target) => relationshipOf(ci, target, at));
  });
  return { cis, relationships };
};
