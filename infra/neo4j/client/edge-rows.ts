/** Relationships as properties of edges from source to target. The whole one is JSON text in `record`. */
import {
  ACCEPTED,
  isCritical,
  isProposed,
  PROPOSED,
  type Relationship,
  redundancyOf,
} from '#domain/topology/topology.ts';

export interface EdgeRow {
  readonly tenant: string;
  readonly id: string;
  readonly source: string;
  readonly target: string;
  readonly type: string;
  readonly critical: boolean;
  /** Only proposed: no walk follows it. */
  readonly ai: boolean;
  /** `open` or `accepted`; null for a relationship that AI has not proposed. */
  readonly from_ai: 'open' | 'accepted' | null;
  readonly revision: number;
  readonly created_at: number;
  /** Start of validity, literally. */
  readonly valid_from: number;
  /** Start of validity for correlation; null for a first version, which is valid from the beginning. */
  readonly since: number | null;
  /** Its redundancy, null for most. */
  readonly path_group: string | null;
  readonly path_required: number | null;
  readonly record: string;
}

const ORIGINS: Readonly<Record<string, 'open' | 'accepted'>> = { [PROPOSED]: 'open', [ACCEPTED]: 'accepted' };

export const edgeRow = (
  tenant: string,
  relationship: Relationship,
  times: { readonly validFrom: number; readonly since: number | null },
): EdgeRow => ({
  tenant,
  id: relationship.id,
  source: relationship.source,
  target: relationship.target,
  type: relationship.type,
  critical: isCritical(relationship),
  ai: isProposed(relationship),
  from_ai: ORIGINS[relationship.discoveredBy] ?? null,
  revision: relationship.revision,
  created_at: relationship.createdAt,
  valid_from: times.validFrom,
  since: times.since,
  path_group: redundancyOf(relationship)?.group ?? null,
  path_required: redundancyOf(relationship)?.required ?? null,
  record: JSON.stringify({ ...relationship, tenant }),
});
