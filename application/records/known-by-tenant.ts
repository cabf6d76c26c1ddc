import { Lru } from '#domain/lru.ts';
import type { KnownByTenant } from '#domain/ports/memory.ts';

const MAX_TENANTS = 1_000;

/** Loads what is asked for and keeps it for `ttlMs`; of too many tenants the one that was asked for least lately leaves. A load that failed is not kept. */
export const knownByTenant = <T>(ttlMs: number, load: (tenant: string) => Promise<T>): KnownByTenant<T> => {
  const known = new Lru<string, { readonly value: Promise<T>; readonly validUntil: number }>(MAX_TENANTS);
  const forget = (tenant: string): void => {
    known.delete(tenant);
  };
  return {
    forget,
    of(tenant, now) {
      const last = known.get(tenant);
      if (last !== undefined && last.validUntil > now) return last.value;
      const value = load(tenant);
      known.set(tenant, { value, validUntil: now + ttlMs });
      value.catch(() => forget(tenant));
      return value;
    },
  };
};
