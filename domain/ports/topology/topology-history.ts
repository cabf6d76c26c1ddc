import type { Page, PageRequest } from '#domain/page.ts';
import type { CiChange, Relationship } from '#domain/topology/topology.ts';

export type ChangesPage = Pick<PageRequest<never>, 'limit' | 'offset' | 'cursor'>;

/** Radius around a CI, and time range of the relationships (ms, both ends within). */
export interface AreaQuery {
  readonly ci: string;
  readonly hops: number;
  readonly from: number;
  readonly to: number;
  /** CIs, itself too. */
  readonly limit: number;
}
export interface Area {
  /** The nearest first, itself as the first. */
  readonly ids: readonly string[];
  readonly truncated: boolean;
}

export interface ChangeRange {
  /** Ids, at most 1,000. */
  readonly ciIds: readonly string[];
  /** ms, both ends within. */
  readonly from: number;
  readonly to: number;
}
/** The author of a change of a relationship is not stored. */
interface RelationshipChange {
  readonly at: number;
  readonly before: Relationship | null;
  readonly after: Relationship | null;
}
/** A relationship that was removed, in its last version. */
export interface RemovedRelationship {
  /** ms. */
  readonly at: number;
  readonly relationship: Relationship;
}
export interface RemovedRange extends Pick<ChangeRange, 'from' | 'to'> {
  readonly limit: number;
}
export type VersionChange = ({ readonly of: 'ci' } & CiChange) | ({ readonly of: 'relationship' } & RelationshipChange);

/** Earlier versions of CIs and relationships. */
export interface TopologyHistory {
  /** Changes of a CI, newest first, also of one that is gone; none of an unknown one. */
  changes(tenant: string, ciId: string, page: ChangesPage): Promise<Page<CiChange>>;
  /**
   * Returns CIs that were within this number of hops at some time of the range, over all relationships of that range.
   */
  area(tenant: string, query: AreaQuery): Promise<Area>;
  /** Changes of these CIs and of the relationships among them, newest first; proposals are left out. */
  changesAmong(tenant: string, range: ChangeRange, page: ChangesPage): Promise<Page<VersionChange>>;
  /** Removed relationships of the range, the latest first, without proposals. */
  removed(tenant: string, range: RemovedRange): Promise<readonly RemovedRelationship[]>;
  /** Returns the latest name of each CI, also of removed ones; unknown ones are left out. */
  lastNames(tenant: string, ciIds: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Deletes the versions of all tenants that ended before this time (ms). Returns how many. */
  forget(before: number): Promise<number>;
}
