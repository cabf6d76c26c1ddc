/** Runs the writes of one tenant one after the other: two transactions lock the tenant's node, and the server would abort one of them. */
export interface TenantTurns {
  take<T>(tenant: string, work: () => Promise<T>): Promise<T>;
}

export const openTenantTurns = (): TenantTurns => {
  const last = new Map<string, Promise<unknown>>();
  return {
    take(tenant, work) {
      const mine = (last.get(tenant) ?? Promise.resolve()).then(work, work);
      const settled = mine.catch(() => undefined);
      last.set(tenant, settled);
      void settled.then(() => {
        if (last.get(tenant) === settled) last.delete(tenant);
      });
      return mine;
    },
  };
};
