import type { Arrival, Surroundings } from '#domain/correlation/records.ts';
import type { Ci, CiStatus, Direction, Hood, Relationship } from '#domain/topology/topology.ts';
import type { Page, PageRequest } from './event-store.ts';

export interface CiFilter {
  readonly types?: readonly string[];
  readonly statuses?: readonly CiStatus[];
  /** Case-insensitive substring of name or description. */
  readonly search?: string;
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

/** What an event says of the machine it is about; tried in this order. */
export interface BindingQuery {
  /** Id or external key. */
  readonly ciId?: string;
  /** Further ids, external keys or names, best first. */
  readonly hints?: readonly string[];
  readonly hostname?: string;
  readonly ipAddress?: string;
}
export interface Binding {
  readonly ci: { readonly id: string; readonly name: string; readonly type: string } | null;
  readonly method: 'id' | 'external_key' | 'name' | 'hostname' | 'fqdn' | 'short_name' | 'ip' | null;
  readonly ambiguous: boolean;
}

/** What enrich writes into the record of an arrival on this CI. */
export type ArrivalTopology = Surroundings & Pick<Arrival, 'hasRelationships' | 'above3' | 'below3' | 'chain'>;

/**
 * CIs and relationships with their history. Puts refuse: a used external key or a used pair of ends and type (conflict),
 * a `revision` that is not newer than stored (precondition), an end that does not exist (invalid). A put is done whole or not at
 * all. Removing a CI that has relationships is refused (conflict).
 */
export interface TopologyStore {
  putCis(tenant: string, cis: readonly Ci[]): Promise<void>;
  putRelationships(tenant: string, relationships: readonly Relationship[]): Promise<void>;
  removeCi(tenant: string, id: string, at: number): Promise<boolean>;
  removeRelationship(tenant: string, id: string, at: number): Promise<boolean>;
  getCis(tenant: string, ids: readonly string[], asOf?: number): Promise<Ci[]>;
  getRelationship(tenant: string, id: string): Promise<Relationship | null>;
  findCis(tenant: string, filter: CiFilter, page: PageRequest<CiSort>): Promise<Page<Ci>>;
  findRelationships(
    tenant: string,
    filter: RelationshipFilter,
    page: PageRequest<'created_at'>,
  ): Promise<Page<Relationship>>;
  /** Relationships per CI, both directions counted. */
  countRelationships(tenant: string, ciIds: readonly string[]): Promise<ReadonlyMap<string, number>>;
  bind(tenant: string, queries: readonly BindingQuery[]): Promise<Binding[]>;
  /** The topology around a CI as of an event's time; null when the CI is unknown. A first version reaches back for ever. */
  around(tenant: string, ciId: string, asOf: number): Promise<ArrivalTopology | null>;
  neighbourhood(
    tenant: string,
    ciId: string,
    options: { hops: number; direction: Direction; types?: readonly string[]; limit: number; asOf?: number },
  ): Promise<Hood>;
  /** A shortest way, ends included, or null. Types empty = any; direction `both` ignores arrows. */
  path(
    tenant: string,
    from: string,
    to: string,
    options: { maxHops: number; direction: Direction; types?: readonly string[]; asOf?: number },
  ): Promise<readonly string[] | null>;
  /** Number of CIs of the tenant. */
  count(tenant: string): Promise<number>;
}
