import type { SideRecord } from '#domain/side-record.ts';
import type { Ci, Relationship } from '#domain/topology/topology.ts';

export interface Removal<T> {
  /** Refused with a precondition fault when another revision is stored. */
  readonly revision?: number;
  /** Stored together with the removal. */
  readonly sideRecords?: (removed: T) => readonly SideRecord[];
}
export interface CiRemoval extends Removal<RemovedCi> {
  /** The actor, for the history. */
  readonly by?: string;
  /** Removes its relationships, too; at most `MAX_CASCADE`, else unprocessable. */
  readonly cascade?: boolean;
}
export interface RemovedCi {
  readonly ci: Ci;
  readonly relationships: readonly Relationship[];
}

/** Two CIs become one. */
export interface CiMerge {
  /** The remaining CI after the merge; its revision is one above the stored one. */
  readonly into: Ci;
  readonly from: { readonly id: string; readonly revision: number };
  readonly at: number;
  /** The user or token, for the history. */
  readonly by: string;
  /** Stored together with the merge. */
  readonly sideRecords?: (merged: MergedCis) => readonly SideRecord[];
}
export interface MergedCis {
  /** The merged CI before the merge. */
  readonly from: Ci;
  /** Relationships that moved or were joined, and ended ones. */
  readonly moved: number;
  readonly ended: number;
}

/** A scan or an import has met a CI. */
export interface Sighting {
  readonly ci: string;
  readonly at: number;
}

/**
 * Changes CIs; every version is stored. A put refuses a used external key (conflict) and a `revision` not newer than
 * stored, or beyond 1 of a new CI (precondition). Atomic.
 */
export interface CiStore {
  put(tenant: string, cis: readonly Ci[], sideRecords?: readonly SideRecord[]): Promise<void>;
  /** The CI and its relationships as they were; null when there is none. Refuses a CI that has relationships (conflict) unless they go with it. */
  remove(tenant: string, id: string, at: number, how?: CiRemoval): Promise<RemovedCi | null>;
  /**
   * Merges as one change: relationships of the other CI move to the remaining one, those between them end, duplicates
   * are joined, the other CI ends. Null without the other one; refuses as puts do, and beyond `MAX_CASCADE`.
   */
  merge(tenant: string, merge: CiMerge): Promise<MergedCis | null>;
  seen(tenant: string, sightings: readonly Sighting[]): Promise<void>;
}
