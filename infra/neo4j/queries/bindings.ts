/** A cache of bindings: most events are from machines that have sent some before. */

import { entryOf } from '#domain/assert.ts';
import { Fault } from '#domain/fault.ts';
import type { Clock } from '#domain/ports/clock.ts';
import type { Binding, BindingQuery } from '#domain/topology/binding.ts';
import { zip } from '#domain/zip.ts';
import { withTimeLimit } from '../client/time-limit.ts';

/** Protects callers that cannot wait from a store that does not answer. */

/** Pause after a failure of the store; ms. */
const REST_MS = 5_000;

interface Breaker {
  /**
   * Returns the result; null when it fails as unavailable, is too late, or was not requested because the last attempt
   * failed.
   */
  attempt<T>(work: () => Promise<T>): Promise<T | null>;
}

const isDown = (error: unknown): boolean => error instanceof Fault && error.kind === 'unavailable';

/**
 * A single caller retries after the pause, and the others are answered at once until it has succeeded. An answer that is
 * only late ends the pause. `now` only grows; ms.
 */
export function openBreaker(patienceMs: number, now: () => number = () => performance.now()): Breaker {
  let restsUntil: number | null = null;
  let isProbing = false;

  const attempt = async <T>(work: () => Promise<T>): Promise<T | null> => {
    const working = work();
    const answered = (): void => {
      restsUntil = null;
    };
    working.then(answered, () => {});
    try {
      return await withTimeLimit(patienceMs, working);
    } catch (error) {
      if (!isDown(error)) throw error;
      restsUntil = now() + REST_MS;
      return null;
    }
  };
  return {
    async attempt(work) {
      if (restsUntil === null) return attempt(work);
      if (isProbing || now() < restsUntil) return null;
      isProbing = true;
      try {
        return await attempt(work);
      } finally {
        isProbing = false;
      }
    },
  };
}

/** Age at which a binding expires, in case its change was not announced. */
const MAX_AGE_MS = 60_000;
/** Maximum of all tenants together, about 300 bytes each. */
const MAX_BINDINGS = 100_000;

type Look = (tenant: string, queries: readonly BindingQuery[]) => Promise<Binding[]>;

interface TenantBindings {
  readonly since: number;
  readonly found: Map<string, Binding>;
  /** Used only while the store does not answer. */
  readonly expired: Map<string, Binding>;
}

export interface BindingsOptions {
  readonly look: Look;
  /** Look-up without retries, for `bindInTime`. */
  readonly lookOnce: Look;
  readonly clock: Clock;
  /** A caller of `bindInTime` waits no longer. */
  readonly patienceMs: number;
}

export interface Bindings {
  readonly bind: Look;
  /** Counterpart of `CiMatcher.bindInTime`. */
  bindInTime(tenant: string, queries: readonly BindingQuery[]): Promise<(Binding | null)[]>;
  /** Drops the cache of one tenant, or of all. */
  invalidate(tenant: string | null): void;
}

const keyOf = ({ ciId, hints, hostname, ipAddress }: BindingQuery): string =>
  JSON.stringify([ciId, hints, hostname, ipAddress]);

/** The queries that the cache cannot answer, each once. */
const missingOf = (
  { found }: TenantBindings,
  keys: readonly string[],
  queries: readonly BindingQuery[],
): Map<string, BindingQuery> => {
  const missing = new Map<string, BindingQuery>();
  for (const [key, query] of zip(keys, queries)) if (!found.has(key)) missing.set(key, query);
  return missing;
};

export function openBindings({ look, lookOnce, clock, patienceMs }: BindingsOptions): Bindings {
  const byTenant = new Map<string, TenantBindings>();
  const breaker = openBreaker(patienceMs);
  let held = 0;

  const drop = (tenant: string): void => {
    const tenantBindings = byTenant.get(tenant);
    held -= tenantBindings === undefined ? 0 : tenantBindings.found.size + tenantBindings.expired.size;
    byTenant.delete(tenant);
  };
  const bindingsOf = (tenant: string): TenantBindings => {
    const known = byTenant.get(tenant);
    if (known !== undefined && clock.now() - known.since <= MAX_AGE_MS) return known;
    // Older answers are replaced by newer ones.
    const expired = known === undefined ? new Map() : new Map([...known.expired, ...known.found]);
    drop(tenant);
    const tenantBindings = { since: clock.now(), found: new Map<string, Binding>(), expired };
    held += expired.size;
    byTenant.set(tenant, tenantBindings);
    return tenantBindings;
  };
  const keep = (tenant: string, { found, expired }: TenantBindings, key: string, binding: Binding): void => {
    // A cache that was dropped while the store was asked may hold outdated bindings.
    if (byTenant.get(tenant)?.found !== found || found.has(key)) return;
    found.set(key, binding);
    if (!expired.delete(key)) held += 1;
    const [oldest] = byTenant.keys();
    if (held > MAX_BINDINGS && oldest !== undefined) drop(oldest);
  };
  const ask = async (
    tenant: string,
    tenantBindings: TenantBindings,
    missing: ReadonlyMap<string, BindingQuery>,
    how: Look,
  ) => {
    const found = await how(tenant, [...missing.values()]);
    const fresh = new Map(zip([...missing.keys()], found));
    for (const [key, binding] of fresh) keep(tenant, tenantBindings, key, binding);
    return fresh;
  };

  return {
    async bind(tenant, queries) {
      const tenantBindings = bindingsOf(tenant);
      const keys = queries.map(keyOf);
      const missing = missingOf(tenantBindings, keys, queries);
      // Read before the wait: the cache may be dropped meanwhile.
      const known = keys.map((key) => tenantBindings.found.get(key));
      if (missing.size === 0) return known as Binding[];
      const fresh = await ask(tenant, tenantBindings, missing, look);
      return keys.map((key, index) => known[index] ?? entryOf(fresh, key));
    },
    async bindInTime(tenant, queries) {
      const tenantBindings = bindingsOf(tenant);
      const keys = queries.map(keyOf);
      const missing = missingOf(tenantBindings, keys, queries);
      if (missing.size === 0) return keys.map((key) => entryOf(tenantBindings.found, key));
      // An answer that is too late for this caller is cached for the next one.
      const fresh = await breaker.attempt(() => ask(tenant, tenantBindings, missing, lookOnce));
      const known = fresh ?? tenantBindings.expired;
      return keys.map((key) => tenantBindings.found.get(key) ?? known.get(key) ?? null);
    },
    invalidate(tenant) {
      if (tenant !== null) return drop(tenant);
      byTenant.clear();
      held = 0;
    },
  };
}
