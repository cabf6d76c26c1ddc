/** Rows of the topology tables and their records. */

import { foundTexts } from '#domain/topology/fields.ts';
import { type Lookup, nameKey } from '#domain/topology/lookup.ts';
import {
  type Ci,
  type CiStatus,
  isCritical,
  isProposed,
  type Redundancy,
  type Relationship,
  redundancyOf,
} from '#domain/topology/topology.ts';
import type { Prepare } from '#infra/embedded/sqlite/rows.ts';

/** All that the reading functions need of a connection, so that any thread can run them. */
export interface Statements {
  readonly statement: Prepare;
}

export interface CiTableRow {
  readonly tenant: string;
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly status: string;
  readonly external_key: string | null;
  readonly description: string | null;
  readonly created_at: number;
  readonly updated_at: number;
  readonly created_by: string;
  readonly updated_by: string;
  readonly revision: number;
  readonly valid_from: number;
  readonly attributes: string;
  readonly custom_fields: string;
  readonly formerly: string | null;
}

export interface RelationshipRow {
  readonly tenant: string;
  readonly source: string;
  readonly target: string;
  readonly type: string;
  readonly critical: number;
  readonly reach_from: number | null;
  readonly valid_from: number;
  readonly id: string;
  readonly redundancy_group: string | null;
  readonly redundancy_required: number | null;
  readonly discovered_by: string;
  readonly confidence: number;
  readonly created_at: number;
  readonly updated_at: number;
  readonly revision: number;
  readonly attributes: string;
}

export const CI_COLUMNS =
  'tenant, id, name, type, status, external_key, description, created_at, updated_at, created_by, updated_by, revision, valid_from, attributes, custom_fields, formerly';
export const RELATIONSHIP_COLUMNS =
  'tenant, source, target, type, critical, reach_from, valid_from, id, ai, discovered_by, confidence, created_at, updated_at, revision, attributes, redundancy_group, redundancy_required';

export const ciOf = (row: CiTableRow): Ci => ({
  tenant: row.tenant,
  id: row.id,
  name: row.name,
  type: row.type,
  status: row.status as CiStatus,
  ...(row.description === null ? {} : { description: row.description }),
  ...(row.external_key === null ? {} : { externalKey: row.external_key }),
  ...(row.formerly === null ? {} : { formerly: JSON.parse(row.formerly) }),
  attributes: JSON.parse(row.attributes),
  customFields: JSON.parse(row.custom_fields),
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  createdBy: row.created_by,
  updatedBy: row.updated_by,
  revision: row.revision,
});

export const relationshipOf = (row: RelationshipRow): Relationship => ({
  tenant: row.tenant,
  id: row.id,
  type: row.type,
  source: row.source,
  target: row.target,
  attributes: JSON.parse(row.attributes),
  discoveredBy: row.discovered_by,
  confidence: row.confidence,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  revision: row.revision,
});

/** Values in the order of `CI_COLUMNS`, then `lookup`, `name_key`, `description_key`, `found_key`. */
export const ciValues = (tenant: string, ci: Ci, validFrom: number, lookup: Lookup): (string | number | null)[] => [
  tenant,
  ci.id,
  ci.name,
  ci.type,
  ci.status,
  ci.externalKey ?? null,
  ci.description ?? null,
  ci.createdAt,
  ci.updatedAt,
  ci.createdBy,
  ci.updatedBy,
  ci.revision,
  validFrom,
  JSON.stringify(ci.attributes),
  JSON.stringify(ci.customFields),
  ci.formerly === undefined ? null : JSON.stringify(ci.formerly),
  packLookup(lookup),
  ci.name.toLowerCase(),
  ci.description?.toLowerCase() ?? '',
  foundTexts(ci, lookup),
];

/** Values in the order of `RELATIONSHIP_COLUMNS`. */
export const relationshipValues = (
  tenant: string,
  relationship: Relationship,
  from: { readonly reach: number | null; readonly valid: number },
): (string | number | null)[] => [
  tenant,
  relationship.source,
  relationship.target,
  relationship.type,
  isCritical(relationship) ? 1 : 0,
  from.reach,
  from.valid,
  relationship.id,
  isProposed(relationship) ? 1 : 0,
  relationship.discoveredBy,
  relationship.confidence,
  relationship.createdAt,
  relationship.updatedAt,
  relationship.revision,
  JSON.stringify(relationship.attributes),
  redundancyOf(relationship)?.group ?? null,
  redundancyOf(relationship)?.required ?? null,
];

/** Few relationships have one. */
export const redundancyIn = (
  row: Pick<RelationshipRow, 'redundancy_group' | 'redundancy_required'>,
): Redundancy | null =>
  row.redundancy_group === null ? null : { group: row.redundancy_group, required: row.redundancy_required ?? 1 };

const packLookup = ({ hostname, fqdn, addresses }: Lookup): string => JSON.stringify([hostname, fqdn, ...addresses]);

/** Columns that hold the names of a CI. */
export interface LookupRow {
  readonly name: string;
  readonly external_key: string | null;
  readonly lookup: string;
  readonly formerly: string | null;
}

export function unpackLookup({ name, external_key: externalKey, lookup, formerly }: LookupRow): Lookup {
  const [hostname, fqdn, ...addresses] = JSON.parse(lookup) as [string | null, string | null, ...string[]];
  const former = formerly === null ? [] : (JSON.parse(formerly) as string[]).map((text) => text.toLowerCase());
  return {
    externalKey,
    name: nameKey(name),
    hostname,
    fqdn,
    addresses,
    ...(former.length > 0 && { formerly: former }),
  };
}
