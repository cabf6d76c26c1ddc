import type { SideRecord } from '#domain/side-record.ts';
import type { Ci, Relationship } from '#domain/topology/topology.ts';

export interface Removal<T> {
  /** Refused with a precondition fault when another revision is stored. */
  readonly revision?: number;
  /** Kept together with the removal. */
  readonly sideRecords?: (removed: T) => readonly SideRecord[];
}
export interface CiRemoval extends Removal<RemovedCi> {
  /** The actor, for the history. */
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
  readonly sideRecords?: (merged: MergedCis) => readonly SideRecord[];
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

/**
 * Changes CIs; every version is kept. A put refuses a used external key (conflict) and a `revision` not newer than stored, or beyond 1 of
 * a new CI (precondition). It is done whole or not at all.
 */
export interface CiStore {
  put(tenant: string, cis: readonly Ci[], sideRecords?: readonly SideRecord[]): Promise<void>;
  /** The CI and its relationships as they were; null when there is none. Refuses a CI that has relationships (conflict) unless they go with it. */
  remove(tenant: string, id: string, at: number, how?: CiRemoval): Promise<RemovedCi | null>;
  /**
   * As one change: relationships of the other CI move to the one that stays, those between them end, duplicates are joined, the other CI
   * ends. Null without the other one; refuses as puts do, and beyond `MAX_CASCADE`.
   */
  merge(tenant: string, merge: CiMerge): Promise<MergedCis | null>;
  seen(tenant: string, sightings: readonly Sighting[]): Promise<void>;
}
