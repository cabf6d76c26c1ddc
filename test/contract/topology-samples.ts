import type { Ci, Relationship } from '#domain/topology/topology.ts';

export const aCi = (id: string, parts: Partial<Ci> = {}): Ci => ({
  tenant: 'acme',
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
  tenant: 'acme',
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
