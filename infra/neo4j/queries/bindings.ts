/** Bindings that were asked for lately, in memory: most events come from machines that have sent some before. */
import type { Clock } from '#domain/ports/clock.ts';
import type { Binding, BindingQuery } from '#domain/topology/binding.ts';
import { openBreaker, PATIENCE_MS } from '#infra/neo4j/client/breaker.ts';

/** After so long an unannounced change is seen. */
const MAX_AGE_MS = 60_000;
/** Of all tenants together, about 300 bytes each. */
const MAX_BINDINGS = 100_000;

type Look = (tenant: string, queries: readonly BindingQuery[]) => Promise<Binding[]>;

interface Sheet {
  readonly since: number;
  readonly found: Map<string, Binding>;
  /** Too old to be believed while the store answers. */
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
  /** As `TopologyStore.bindInTime`. */
  bindInTime(tenant: string, queries: readonly BindingQuery[]): Promise<(Binding | null)[]>;
  /** Of one tenant, or of all. */
  invalidate(tenant: string | null): void;
}

const keyOf = ({ ciId, hints, hostname, ipAddress }: BindingQuery): string =>
  JSON.stringify([ciId, hints, hostname, ipAddress]);

/** What the sheet lacks of these queries, each once. */
const missingOf = (
  { found }: Sheet,
  keys: readonly string[],
  queries: readonly BindingQuery[],
): Map<string, BindingQuery> => {
  const missing = new Map<string, BindingQuery>();
  for (const [index, key] of keys.entries()) if (!found.has(key)) missing.set(key, queries[index]!);
  return missing;
};

export function openBindings({ look, lookOnce, clock, patienceMs = PATIENCE_MS }: BindingsOptions): Bindings {
  const sheets = new Map<string, Sheet>();
  const breaker = openBreaker(patienceMs);
  let held = 0;

  const drop = (tenant: string): void => {
    const sheet = sheets.get(tenant);
    held -= sheet === undefined ? 0 : sheet.found.size + sheet.expired.size;
    sheets.delete(tenant);
  };
  const sheetOf = (tenant: string): Sheet => {
    const known = sheets.get(tenant);
    if (known !== undefined && clock.now() - known.since <= MAX_AGE_MS) return known;
    // Older answers give way to newer ones.
    const expired = known === undefined ? new Map() : new Map([...known.expired, ...known.found]);
    drop(tenant);
    const sheet = { since: clock.now(), found: new Map<string, Binding>(), expired };
    held += expired.size;
    sheets.set(tenant, sheet);
    return sheet;
  };
  const keep = (tenant: string, { found, expired }: Sheet, key: string, binding: Binding): void => {
    // A sheet that was dropped while the store was asked may hold what was true before.
    if (sheets.get(tenant)?.found !== found || found.has(key)) return;
    found.set(key, binding);
    if (!expired.delete(key)) held += 1;
    if (held > MAX_BINDINGS) drop(sheets.keys().next().value!);
  };
  const ask = async (tenant: string, sheet: Sheet, missing: ReadonlyMap<string, BindingQuery>, how: Look) => {
    const found = await how(tenant, [...missing.values()]);
    const fresh = new Map([...missing.keys()].map((key, index) => [key, found[index]!]));
    for (const [key, binding] of fresh) keep(tenant, sheet, key, binding);
    return fresh;
  };

  return {
    async bind(tenant, queries) {
      const sheet = sheetOf(tenant);
      const keys = queries.map(keyOf);
      const missing = missingOf(sheet, keys, queries);
      // Taken before the wait: the sheet may be dropped meanwhile.
      const known = keys.map((key) => sheet.found.get(key));
      if (missing.size === 0) return known as Binding[];
      const fresh = await ask(tenant, sheet, missing, look);
      return keys.map((key, index) => known[index] ?? fresh.get(key)!);
    },
    async bindInTime(tenant, queries) {
      const sheet = sheetOf(tenant);
      const keys = queries.map(keyOf);
      const missing = missingOf(sheet, keys, queries);
      if (missing.size === 0) return keys.map((key) => sheet.found.get(key)!);
      // An answer that comes too late for this caller is kept for the next one.
      const fresh = await breaker.attempt(() => ask(tenant, sheet, missing, lookOnce));
      const known = fresh ?? sheet.expired;
      return keys.map((key) => sheet.found.get(key) ?? known.get(key) ?? null);
    },
    invalidate(tenant) {
      if (tenant !== null) return drop(tenant);
      sheets.clear();
      held = 0;
    },
  };
}
