import type { Connection } from './connection.ts';
import { all, any, EVERYTHING, range, terms } from './query.ts';
import { type Query, search } from './search.ts';

export interface NewestOf {
  readonly index: string;
  readonly tenant: string;
  /** The field of which each tenant's highest value is wanted. */
  readonly field: string;
  readonly query?: Query;
}

interface Buckets {
  readonly tenants: {
    readonly after_key?: { readonly tenant: string };
    readonly buckets: readonly {
      readonly key: { readonly tenant: string };
      readonly newest: { readonly value: number };
    }[];
  };
}

const PAGE = 1_000;
const HOUR_MS = 3_600_000;
/** Conditions of one query. */
const STEPS = 200;

/** The highest value of a field per tenant. */
export async function newestByTenant(
  connection: Connection,
  { index, tenant, field, query = EVERYTHING }: NewestOf,
): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  let after: { readonly tenant: string } | undefined;
  do {
    const composite = { size: PAGE, sources: [{ tenant: { terms: { field: tenant } } }], ...(after && { after }) };
    const aggs = { tenants: { composite, aggs: { newest: { max: { field } } } } };
    const { aggregations } = await search<unknown, Buckets>(connection, { index, query, size: 0, aggs });
    for (const { key, newest } of aggregations?.tenants.buckets ?? []) found.set(key.tenant, newest.value);
    after = aggregations?.tenants.after_key;
  } while (after !== undefined);
  return found;
}

/**
 * Rows of each tenant from its own time on, and some before: tenants whose times are near share a condition, as a query holds
 * only so many.
 */
export function sinceQuery(tenantField: string, timeField: string, since: ReadonlyMap<string, number>): Query {
  const times = [...since.values()];
  const oldest = times.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
  const newest = times.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
  const step = Math.max(HOUR_MS, (newest - oldest) / STEPS);
  const steps = new Map<number, { tenants: string[]; from: number }>();
  for (const [tenant, from] of since) {
    const at = Math.floor((from - oldest) / step);
    const shared = steps.get(at);
    if (shared === undefined) steps.set(at, { tenants: [tenant], from });
    else {
      shared.tenants.push(tenant);
      shared.from = Math.min(shared.from, from);
    }
  }
  return any(
    ...[...steps.values()].map(({ tenants, from }) =>
      all(terms(tenantField, tenants), range(timeField, { gte: from })),
    ),
  );
}
