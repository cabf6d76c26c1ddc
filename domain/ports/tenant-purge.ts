/** Deletes what is stored of a tenant, for good. */
export interface TenantPurge {
  /**
   * Deletes every row of the tenant, its past included, a little at a time. Nothing may be on its way for it meanwhile. Can be called
   * again when cut off. False when `isStopping` stopped it. Throws Fault `unavailable`.
   */
  purge(tenant: string, isStopping?: () => boolean): Promise<boolean>;
}
