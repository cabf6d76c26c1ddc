interface LruEntry<K, V> {
  readonly key: K;
  value: V;
  weight: number;
  /** Number of the use that moved it to the end. */
  use: number;
  before: LruEntry<K, V> | null;
  after: LruEntry<K, V> | null;
}

/**
 * A least-recently-used cache bounded by weight, or by number. A use moves an entry only when it is not near the end, so most uses change
 * nothing. A linked list, since re-inserting into a Map rehashes it.
 */
export class Lru<K, V> {
  readonly #budget: number;
  readonly #weigh: (value: V) => number;
  readonly #mayGo: (value: V) => boolean;
  readonly #entries = new Map<K, LruEntry<K, V>>();
  #first: LruEntry<K, V> | null = null;
  #last: LruEntry<K, V> | null = null;
  #weight = 0;
  #uses = 0;

  /** Entries for which `mayGo` is false stay, even beyond the budget. */
  constructor(budget: number, weigh: (value: V) => number = () => 1, mayGo: (value: V) => boolean = () => true) {
    this.#budget = budget;
    this.#weigh = weigh;
    this.#mayGo = mayGo;
  }

  get(key: K): V | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    if (this.#uses - entry.use > this.#entries.size / 4) this.#moveToEnd(entry);
    return entry.value;
  }

  set(key: K, value: V): void {
    const weight = this.#weigh(value);
    const known = this.#entries.get(key);
    if (known === undefined) {
      const entry = { key, value, weight, use: 0, before: null, after: null };
      this.#entries.set(key, entry);
      this.#append(entry);
      this.#weight += weight;
    } else {
      this.#weight += weight - known.weight;
      known.value = value;
      known.weight = weight;
      this.#moveToEnd(known);
    }
    while (this.#weight > this.#budget && this.#first !== null && this.#mayGo(this.#first.value))
      this.#drop(this.#first);
  }

  delete(key: K): void {
    const entry = this.#entries.get(key);
    if (entry !== undefined) this.#drop(entry);
  }

  clear(): void {
    this.#entries.clear();
    this.#first = null;
    this.#last = null;
    this.#weight = 0;
  }

  keepOnly(wanted: (value: V) => boolean): void {
    for (const entry of this.#entries.values()) if (!wanted(entry.value)) this.#drop(entry);
  }

  #drop(entry: LruEntry<K, V>): void {
    this.#weight -= entry.weight;
    this.#entries.delete(entry.key);
    this.#unlink(entry);
  }

  #moveToEnd(entry: LruEntry<K, V>): void {
    if (entry === this.#last) entry.use = ++this.#uses;
    else {
      this.#unlink(entry);
      this.#append(entry);
    }
  }

  #unlink({ before, after }: LruEntry<K, V>): void {
    if (before === null) this.#first = after;
    else before.after = after;
    if (after === null) this.#last = before;
    else after.before = before;
  }

  #append(entry: LruEntry<K, V>): void {
    entry.use = ++this.#uses;
    entry.before = this.#last;
    entry.after = null;
    if (this.#last === null) this.#first = entry;
    else this.#last.after = entry;
    this.#last = entry;
  }
}

/** Drops the oldest entry of a map or a set: bounds a cache in order of insertion. */
export function forgetOldest<K>(cache: { keys(): Iterator<K>; delete(key: K): boolean }): void {
  const oldest = cache.keys().next();
  if (oldest.done !== true) cache.delete(oldest.value);
}

/** Caches values of each tenant for some seconds; a change in another process counts after those. */
export interface KnownByTenant<T, Given extends readonly unknown[] = []> {
  /** `now`: ms; `given`: for a load. */
  of(tenant: string, now: number, ...given: Given): Promise<T>;
  /** Must be called after every change in this process: it counts from the next request on. */
  forget(tenant: string): void;
}

const MAX_TENANTS = 1_000;

/**
 * True if a value stored for `ttlMs` still counts, ms. A time much further ahead was set by a clock that was; requests
 * ask out of order.
 */
export const isKept = (validUntil: number, now: number, ttlMs: number): boolean =>
  validUntil > now && validUntil <= now + 2 * ttlMs;

/**
 * Loads a value and caches it for `ttlMs`; above the limit the least recently used tenant is evicted. A failed load is
 * not cached.
 */
export const knownByTenant = <T, Given extends readonly unknown[] = []>(
  ttlMs: number,
  load: (tenant: string, ...given: Given) => Promise<T>,
  most = MAX_TENANTS,
): KnownByTenant<T, Given> => {
  const known = new Lru<string, { readonly value: Promise<T>; readonly validUntil: number }>(most);
  const forget = (tenant: string): void => void known.delete(tenant);
  return {
    forget,
    of(tenant, now, ...given) {
      const last = known.get(tenant);
      if (last !== undefined && isKept(last.validUntil, now, ttlMs)) return last.value;
      const value = load(tenant, ...given);
      known.set(tenant, { value, validUntil: now + ttlMs });
      value.catch(() => forget(tenant));
      return value;
    },
  };
};
