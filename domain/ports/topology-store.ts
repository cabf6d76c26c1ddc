import type { Along } from '#domain/along.ts';
import type { Binding, BindingQuery } from '#domain/topology/binding.ts';
import type { FieldValue } from '#domain/topology/fields.ts';
import type { MachineKeys, MatchedCis } from '#domain/topology/match.ts';
import type { ArrivalTopology } from '#domain/topology/near.ts';
import type { Ci, CiChange, CiStatus, Direction, Hood, Impact, Relationship } from '#domain/topology/topology.ts';
import type { Page, PageRequest } from './event-store.ts';

export interface CiFilter {
  readonly types?: readonly string[];
  readonly statuses?: readonly CiStatus[];
  /** Case-insensitive substring of name, description, host name, address or external key. */
  readonly search?: string;
  /** Whatever its case; also that of a CI that was merged into it. */
  readonly externalKey?: string;
  /** All of them. */
  readonly fields?: readonly FieldValue[];
  /** Seen last at this time or later, and before that one (ms). */
  readonly seenFrom?: number;
  readonly seenBefore?: number;
  /** By no scan and no import. */
  readonly neverSeen?: boolean;
  /** Has this address among all that are known of it; any spelling. */
  readonly ip?: string;
}
export const CI_SORTS = ['name', 'created_at', 'updated_at', 'type', 'status'] as const;
export type CiSort = (typeof CI_SORTS)[number];

export interface RelationshipFilter {
  readonly source?: string;
  readonly target?: string;
  /** Either end. */
  readonly ci?: string;
  readonly type?: string;
  readonly includeAi: boolean;
}

/** No two relationships have the same. */
export type Ends = Pick<Relationship, 'source' | 'target' | 'type'>;

export interface Removal<T> {
  /** Refused with a precondition fault when another revision is stored. */
  readonly revision?: number;
  /** Kept together with the removal. */
  readonly along?: (removed: T) => readonly Along[];
}
export interface CiRemoval extends Removal<RemovedCi> {
  /** Who did it, for the history. */
  readonly by?: string;
  /** With its relationships; at most `MAX_CASCADE`, else unprocessable. */
  readonly cascade?: boolean;
}
export interface RemovedCi {
  readonly ci: Ci;
  readonly relationships: readonly Relationship[];
}

/** Two CIs become one. */
export interface CiMerge {
  /** The one that stays, as it is then; its revision is one above what is stored. */
  readonly into: Ci;
  readonly from: { readonly id: string; readonly revision: number };
  readonly at: number;
  /** The user or token, for the history. */
  readonly by: string;
  /** Kept together with the merge. */
  readonly along?: (merged: MergedCis) => readonly Along[];
}
export interface MergedCis {
  /** As it was. */
  readonly from: Ci;
  /** Relationships that moved or were joined, and those that ended. */
  readonly moved: number;
  readonly ended: number;
}

/** A scan or an import has met a CI. */
export interface Sighting {
  readonly ci: string;
  readonly at: number;
}

/** How many CIs, or relationships, are of a type. */
export interface TypeInUse {
  readonly type: string;
  readonly count: number;
}
export interface TypesInUse {
  readonly cis: readonly TypeInUse[];
  readonly relationships: readonly TypeInUse[];
}
export const MAX_TYPES = 1_000;

/**
 * CIs and relationships with their history. Puts refuse: a used external key or a used pair of ends and type (conflict),
 * a `revision` that is not newer than stored, or beyond the first of what is not there (precondition), an end that does not exist
 * (invalid). A put is done whole or not at all. Removing a CI that has relationships is refused (conflict) unless they go with it.
 */
export interface TopologyStore {
  putCis(tenant: string, cis: readonly Ci[], along?: readonly Along[]): Promise<void>;
  putRelationships(tenant: string, relationships: readonly Relationship[], along?: readonly Along[]): Promise<void>;
  /** As they were; null when there is none. */
  removeCi(tenant: string, id: string, at: number, how?: CiRemoval): Promise<RemovedCi | null>;
  /**
   * As one change: relationships of the other CI move to the one that stays, those between the two end, duplicates are joined; the
   * other CI ends, and the latest sighting counts. Null when the other one is not there; refuses as puts do, and beyond `MAX_CASCADE`.
   */
  mergeCis(tenant: string, merge: CiMerge): Promise<MergedCis | null>;
  removeRelationship(tenant: string, id: string, at: number, how?: Removal<Relationship>): Promise<Relationship | null>;
  getCis(tenant: string, ids: readonly string[], asOf?: number): Promise<Ci[]>;
  getRelationship(tenant: string, id: string, asOf?: number): Promise<Relationship | null>;
  /** The relationship of each type from source to target, in order; null where there is none. */
  relationshipsBetween(tenant: string, ends: readonly Ends[]): Promise<(Relationship | null)[]>;
  /** Newest first, also of a CI that is gone; none of an unknown one. */
  ciChanges(
    tenant: string,
    id: string,
    page: Pick<PageRequest<never>, 'limit' | 'offset' | 'cursor'>,
  ): Promise<Page<CiChange>>;
  findCis(tenant: string, filter: CiFilter, page: PageRequest<CiSort>): Promise<Page<Ci>>;
  findRelationships(
    tenant: string,
    filter: RelationshipFilter,
    page: PageRequest<'created_at'>,
  ): Promise<Page<Relationship>>;
  /** Records when scans or imports saw CIs (ms); the latest counts. It changes no version and leaves unknown CIs out. */
  seen(tenant: string, sightings: readonly Sighting[]): Promise<void>;
  /** Those that were never seen are left out. */
  lastSeen(tenant: string, ciIds: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /** Relationships per CI, both directions counted. */
  countRelationships(tenant: string, ciIds: readonly string[]): Promise<ReadonlyMap<string, number>>;
  bind(tenant: string, queries: readonly BindingQuery[]): Promise<Binding[]>;
  /**
   * As `bind`, for callers that cannot wait: within 300 ms, and at once while the store is down. Null where the store was not heard;
   * an answer of then may be older than a minute.
   */
  bindInTime(tenant: string, queries: readonly BindingQuery[]): Promise<(Binding | null)[]>;
  /**
   * CIs that are known by the texts, at most 10 per key, in the order of ids. `fqdn` finds names whole; `hostname` too, and where
   * none is, names that begin with it as their first label.
   */
  match(tenant: string, machines: readonly MachineKeys[]): Promise<MatchedCis[]>;
  /** The topology around a CI as of an event's time; null when the CI is unknown. A first version reaches back for ever. */
  around(tenant: string, ciId: string, asOf: number): Promise<ArrivalTopology | null>;
  neighbourhood(
    tenant: string,
    ciId: string,
    options: { hops: number; direction: Direction; types?: readonly string[]; limit: number; asOf?: number },
  ): Promise<Hood>;
  /** What fails together with these CIs, the nearest `limit`; a fault when one of them is not there. */
  impact(tenant: string, ciIds: readonly string[], options: { limit: number; asOf?: number }): Promise<Impact>;
  /** A shortest way, ends included, or null. Types empty = any; direction `both` ignores arrows. */
  path(
    tenant: string,
    from: string,
    to: string,
    options: { maxHops: number; direction: Direction; types?: readonly string[]; asOf?: number },
  ): Promise<readonly string[] | null>;
  /** Types in use, the most used first; at most `MAX_TYPES` of each kind. */
  types(tenant: string): Promise<TypesInUse>;
  /** Number of CIs of the tenant. */
  count(tenant: string): Promise<number>;
  /** Deletes the versions of all tenants that ended before this time (ms). Returns how many. */
  forget(before: number): Promise<number>;
}
