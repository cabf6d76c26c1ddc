/** Bindings that were asked for lately, in memory: most events come from machines that have sent some before. */
import type { Clock } from '#domain/ports/clock.ts';
import type { Binding, BindingQuery } from '#domain/ports/topology-store.ts';

/** After so long an unannounced change is seen. */
const MAX_AGE_MS = 60_000;
/** Of all tenants together, about 300 bytes each. */
const MAX_BINDINGS = 100_000;

type Look = (tenant: string, queries: readonly BindingQuery[]) => Promise<Binding[]>;

interface Sheet {
  readonly since: number;
  readonly found: Map<string, Binding>;
}

export interface Bindings {
  readonly bind: Look;
  /** Of one tenant, or of all. */
  invalidate(tenant: string | null): void;
}

const keyOf = ({ ciId, hints, hostname, ipAddress }: BindingQuery): string =>
  JSON.stringify([ciId, hints, hostname, ipAddress]);

export function openBindings(look: Look, clock: Clock): Bindings {
  const sheets = new Map<string, Sheet>();
  let held = 0;

  const drop = (tenant: string): void => {
    held -= sheets.get(tenant)?.found.size ?? 0;
    sheets.delete(tenant);
  };
  const sheetOf = (tenant: string): Sheet => {
    const known = sheets.get(tenant);
    if (known !== undefined && clock.now() - known.since <= MAX_AGE_MS) return known;
    drop(tenant);
    const sheet = { since: clock.now(), found: new Map<string, Binding>() };
    sheets.set(tenant, sheet);
    return sheet;
  };
  const keep = (tenant: string, { found }: Sheet, key: string, binding: Binding): void => {
    // A sheet that was dropped while the store was asked may hold what was true before.
    if (sheets.get(tenant)?.found !== found || found.has(key)) return;
    found.set(key, binding);
    held += 1;
    if (held > MAX_BINDINGS) drop(sheets.keys().next().value!);
  };

  return {
    async bind(tenant, queries) {
      const sheet = sheetOf(tenant);
      const keys = queries.map(keyOf);
      const missing = new Map<string, BindingQuery>();
      for (const [index, query] of queries.entries())
        if (!sheet.found.has(keys[index]!)) missing.set(keys[index]!, query);
      const asked = [...missing.keys()];
      const found = asked.length === 0 ? [] : await look(tenant, [...missing.values()]);
      const fresh = new Map(asked.map((key, index) => [key, found[index]!]));
      const answers = keys.map((key) => fresh.get(key) ?? sheet.found.get(key)!);
      for (const [key, binding] of fresh) keep(tenant, sheet, key, binding);
      return answers;
    },
    invalidate(tenant) {
      if (tenant !== null) return drop(tenant);
      sheets.clear();
      held = 0;
    },
  };
}
