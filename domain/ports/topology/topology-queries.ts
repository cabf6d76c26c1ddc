import type { Page, PageRequest } from '#domain/page.ts';
import type { FieldValue } from '#domain/topology/fields.ts';
import type { CiMaintenance } from '#domain/topology/maintenance.ts';
import type { Ci, CiStatus, Relationship } from '#domain/topology/topology.ts';

export interface CiFilter {
  readonly types?: readonly string[];
  readonly statuses?: readonly CiStatus[];
  /** Case-insensitive substring of name, description, host name, address or external key. */
  readonly search?: string;
  /** Key regardless of case; also that of a CI that was merged into it. */
  readonly externalKey?: string;
  /** All of them. */
  readonly fields?: readonly FieldValue[];
  /** Has no plain value of any of these fields. */
  readonly without?: readonly Pick<FieldValue, 'bag' | 'name'>[];
  /** Seen last at this time or later, and before that one (ms). */
  readonly seenFrom?: number;
  readonly seenBefore?: number;
  /** Not seen by any scan or import. */
  readonly neverSeen?: boolean;
  /** Has this address among all that are known of it; any spelling. */
  readonly ip?: string;
}
export const CI_SORTS = ['name', 'created_at', 'updated_at', 'type', 'status'] as const;
export type CiSort = (typeof CI_SORTS)[number];

export type FromAi = 'open' | 'accepted' | 'both';
export interface RelationshipFilter {
  readonly source?: string;
  readonly target?: string;
  /** Either end. */
  readonly ci?: string;
  readonly type?: string;
  readonly includeAi: boolean;
  /** Only AI proposals, open or accepted ones or both; then `includeAi` means nothing. */
  readonly fromAi?: FromAi;
}

/** No two relationships have the same. */
export type Ends = Pick<Relationship, 'source' | 'target' | 'type'>;

/** A CI that is in maintenance, or names a window of it. */
export interface MaintainedCi {
  readonly ciId: string;
  readonly maintenance: CiMaintenance;
}
export const MAX_MAINTAINED = 1_000;

/** Reads CIs and relationships one by one and as lists; with `asOf` as they were at that time, ms. */
export interface TopologyQueries {
  getCis(tenant: string, ids: readonly string[], asOf?: number): Promise<Ci[]>;
  findCis(tenant: string, filter: CiFilter, page: PageRequest<CiSort>): Promise<Page<Ci>>;
  /** Returns the last time by CI; CIs never seen are left out. */
  lastSeen(tenant: string, ciIds: readonly string[]): Promise<ReadonlyMap<string, number>>;
  getRelationship(tenant: string, id: string, asOf?: number): Promise<Relationship | null>;
  /** The relationship of each type from source to target, in order; null where there is none. */
  relationshipsBetween(tenant: string, ends: readonly Ends[]): Promise<(Relationship | null)[]>;
  findRelationships(
    tenant: string,
    filter: RelationshipFilter,
    page: PageRequest<'created_at'>,
  ): Promise<Page<Relationship>>;
  /** Returns at most `MAX_MAINTAINED`, windows of the past and of the future too. */
  inMaintenance(tenant: string): Promise<readonly MaintainedCi[]>;
}
