/** Memory of a processor per tenant of one partition. */
export interface Tenants<T> {
  readonly tenants: Map<string, T>;
  /** Arrivals so far, and the highest event time among them, ms. */
  count: number;
  newest: number;
}

export const openTenants = <T>(): Tenants<T> => ({ tenants: new Map(), count: 0, newest: Number.NEGATIVE_INFINITY });

/** The tenant's memory, opened when there is none. */
export function tenantOf<T>(state: Tenants<T>, tenant: string, open: () => T): T {
  const known = state.tenants.get(tenant);
  if (known !== undefined) return known;
  const opened = open();
  state.tenants.set(tenant, opened);
  return opened;
}

/** One time far ahead of all others, by a wrong clock, makes no tenant idle; ms. */
const MAX_APART_MS = 3_600_000;

/** Notes an arrival of the tenant at `time`. */
export function touch<T extends { touched: number }>(state: Tenants<T>, memory: T, time: number): void {
  memory.touched = ++state.count;
  state.newest = Math.min(Math.max(state.newest, time), time + MAX_APART_MS);
}

/** A sweep of all tenants is due after this number of arrivals, which makes it free of cost per arrival. */
export const SWEEP_EVERY = 65_536;

/**
 * Forgets tenants that had no arrival since the last sweep and that `isIdle` for event times as new as `newest`.
 * Counted in arrivals, not in batches, so that the size of a batch changes nothing.
 */
export function dropIdle<T extends { touched: number }>(
  state: Tenants<T>,
  isIdle: (memory: T, newest: number) => boolean,
): void {
  if (state.count % SWEEP_EVERY !== 0) return;
  for (const [tenant, memory] of state.tenants)
    if (memory.touched <= state.count - SWEEP_EVERY && isIdle(memory, state.newest)) state.tenants.delete(tenant);
}
