/** Deletes all stored data of a tenant, permanently. */
export interface TenantPurge {
  /**
   * Deletes every row of the tenant, its past included, in small steps. No writes may be in flight for it. Can be
   * called again after an interruption. False when `isStopping` stopped it. Throws Fault `unavailable`.
   */
  purge(tenant: string, isStopping?: () => boolean): Promise<boolean>;
}
