/** A cache of bindings: most events come from machines that have sent some before. */
import { entryOf } from '#domain/known.ts';
import { paired } from '#domain/paired.ts';
import type { Clock } from '#domain/ports/clock.ts';
import type { Binding, BindingQuery } from '#domain/topology/binding.ts';
import { openBreaker, PATIENCE_MS } from '#infra/neo4j/client/breaker.ts';

/** Age at which a binding expires, in case its change was not announced. */
const MAX_AGE_MS = 60_000;
/** Of all tenants together, about 300 bytes each. */
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
  /** Without repeats, for `bindInTime`. */
  readonly lookOnce: Look;
  readonly clock: Clock;
  readonly patienceMs?: number;
}

export interface Bindings {
  readonly bind: Look;
  /** As `CiMatcher.bindInTime`. */
  bindInTime(tenant: string, queries: readonly BindingQuery[]): Promise<(Binding | null)[]>;
  /** Of one tenant, or of all. */
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
  for (const [key, query] of paired(keys, queries)) if (!found.has(key)) missing.set(key, query);
  return missing;
};

export function openBindings({ look, lookOnce, clock, patienceMs = PATIENCE_MS }: BindingsOptions): Bindings {
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
    // Older answers give way to newer ones.
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
    const fresh = new Map(paired([...missing.keys()], found));
    for (const [key, binding] of fresh) keep(tenant, tenantBindings, key, binding);
    return fresh;
  };

  return {
    async bind(tenant, queries) {
      const tenantBindings = bindingsOf(tenant);
      const keys = queries.map(keyOf);
      const missing = missingOf(tenantBindings, keys, queries);
      // Taken before the wait: the cache may be dropped meanwhile.
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
      // An answer that comes too late for this caller is kept for the next one.
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
