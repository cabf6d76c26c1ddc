import type { Caller } from '#domain/access/caller.ts';
import { Lru } from '#domain/lru.ts';

/** How long another process may go on accepting what this one revoked; ms. */
export const CACHE_TTL_MS = 5_000;
const CACHE_MAX_ENTRIES = 10_000;

/** A credential that was looked up. `own` is what a request in the credential's own tenant gets. */
export interface Known {
  readonly own: { readonly caller: Caller; readonly tenant: string };
  readonly validUntil: number;
}

/** Credentials by SHA-256, and tenants that exist; bounded, those that were used least lately leave first. */
export class CallerCache {
  readonly #callers = new Lru<string, Known>(CACHE_MAX_ENTRIES);
  readonly #tenants = new Map<string, number>();
  /** Changes with every clearing, so that a look-up begun before it is not kept after it. */
  generation = 0;

  get(hash: string, now: number): Known | undefined {
    const known = this.#callers.get(hash);
    return known !== undefined && known.validUntil > now ? known : undefined;
  }

  keep(hash: string, known: Known, generation: number): void {
    if (generation !== this.generation) return;
    this.#callers.set(hash, known);
  }

  hasTenant(id: string, now: number): boolean {
    return (this.#tenants.get(id) ?? 0) > now;
  }

  keepTenant(id: string, until: number, generation: number): void {
    if (generation !== this.generation) return;
    if (this.#tenants.size >= CACHE_MAX_ENTRIES) this.#tenants.clear();
    this.#tenants.set(id, until);
  }

  /** To be called after every change of tenants, users, tokens and limits: it counts from the next request on. */
  clear(): void {
    this.generation += 1;
    this.#callers.clear();
    this.#tenants.clear();
  }
}
