/** Each waits for the log and the stores much longer than it works. */
const AT_ONCE = 8;

/** Works off a batch by tenant, some tenants at once, each in its order. Throws the first failure when all that began have ended. */
export const byTenant = async <T extends { readonly tenant: string }>(
  batch: readonly T[],
  work: (tenant: string, own: readonly T[]) => Promise<void>,
): Promise<void> => {
  const waiting = Map.groupBy(batch, ({ tenant }) => tenant).entries();
  const failures: unknown[] = [];
  const turn = async (): Promise<void> => {
    for (const [tenant, own] of waiting) {
      await work(tenant, own).catch((error) => failures.push(error));
      if (failures.length > 0) return;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, turn));
  if (failures.length > 0) throw failures[0];
};
