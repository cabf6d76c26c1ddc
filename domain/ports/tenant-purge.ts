/** Deletes what is stored of a tenant, for good. */
export interface TenantPurge {
  /**
   * Deletes every row that is kept under the tenant, with its past and what memory holds of it here; other tenants keep all of theirs.
   * A little at a time, so that nobody waits for it. Nothing may be on its way for the tenant meanwhile. Cut off halfway, it can be
   * called again; of an unknown tenant it deletes nothing. False when it let go because of `isStopping`, which it asks every now and
   * then. Throws Fault `unavailable` while a store is down.
   */
  purge(tenant: string, isStopping?: () => boolean): Promise<boolean>;
}
