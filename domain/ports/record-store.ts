import type { SideRecord } from '#domain/side-record.ts';
/** One stored record of any other kind: users, tokens, settings, audit … `revision` starts at 1 and grows with every put. */
export interface StoredRecord<T> {
  readonly id: string;
  readonly revision: number;
  readonly body: T;
}

/** A kind names its collection. Bodies are plain JSON. Ids are chosen by the caller; a list is ordered by id. */
export interface RecordStore {
  get<T>(tenant: string, kind: string, id: string): Promise<StoredRecord<T> | null>;
  /**
   * `expected`: the revision that must be stored now, 0 for "must not exist", absent for any. Throws Fault
   * `precondition` when it differs. Returns the new revision. `expiresAt` (ms): gone from then on.
   */
  put<T>(
    tenant: string,
    kind: string,
    id: string,
    body: T,
    options?: { readonly expected?: number; readonly expiresAt?: number; readonly sideRecords?: readonly SideRecord[] },
  ): Promise<number>;
  /** Side records are stored when there was something to remove. */
  remove(tenant: string, kind: string, id: string, sideRecords?: readonly SideRecord[]): Promise<boolean>;
  list<T>(
    tenant: string,
    kind: string,
    options: { readonly after?: string; readonly limit: number; readonly descending?: boolean },
  ): Promise<StoredRecord<T>[]>;
}

/** Tenant of records that belong to no tenant: tenants themselves, signing keys. */
export const SYSTEM_TENANT = '_system';
