import type { SideRecord } from '#domain/side-record.ts';
import type { Relationship } from '#domain/topology/topology.ts';
import type { Removal } from './ci-store.ts';

/**
 * Changes relationships; every version is stored; atomic. A put refuses a used pair of ends and type (conflict), a
 * `revision` not newer than stored (precondition) and an end that does not exist (invalid).
 */
export interface RelationshipStore {
  put(tenant: string, relationships: readonly Relationship[], sideRecords?: readonly SideRecord[]): Promise<void>;
  /** The relationship as it was; null when there is none. */
  remove(tenant: string, id: string, at: number, how?: Removal<Relationship>): Promise<Relationship | null>;
}
