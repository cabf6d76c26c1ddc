import type { estypes } from '@elastic/elasticsearch';
import { itemAt, lastItem } from '#domain/assert.ts';
import { slices } from '#domain/slices.ts';
import { type Connection, unavailable } from './connection.ts';
import { all, any, EVERYTHING, range, term, terms } from './query.ts';
import type { DocumentQuery } from './search.ts';

export interface NewestOf {
  readonly index: string;
  /** Field that holds the tenant. */
  readonly tenant: string;
  readonly tenants: readonly string[];
  /** The field of a long of which each tenant's highest value is wanted. */
  readonly field: string;
  readonly query?: DocumentQuery;
}

const HOUR_MS = 3_600_000;
/** Conditions of one query. */
const STEPS = 200;
/** Terms of one answer, and searches of one request. */
const TERMS = 1_000;
const SEARCHES = 100;

/** Every tenant that has a row, and some that had one: read from the list of terms, so the number of rows does not count. */
export async function tenantsIn(connection: Connection, index: string, field: string): Promise<string[]> {
  const found: string[] = [];
  for (;;) {
    const after = found.length === 0 ? {} : { search_after: lastItem(found) };
    const page = await connection.ask((client) => client.termsEnum({ index, field, size: TERMS, ...after }));
    if (!page.complete) throw unavailable(`incomplete list of the terms of ${field}`);
    found.push(...page.terms);
    if (page.terms.length < TERMS) return found;
  }
}

/**
 * Returns the highest value of a field per tenant: each is the first hit of a sorted search, which reads few rows of
 * any number.
 */
export async function newestByTenant(connection: Connection, asked: NewestOf): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  for (const some of slices(asked.tenants, SEARCHES)) await readNewest(connection, { ...asked, tenants: some }, found);
  return found;
}

async function readNewest(
  connection: Connection,
  { index, tenant, tenants, field, query = EVERYTHING }: NewestOf,
  found: Map<string, number>,
): Promise<void> {
  const newest = { size: 1, sort: [{ [field]: 'desc' }], _source: false, track_total_hits: false };
  const searches = tenants.flatMap((name) => [
    { index, allow_partial_search_results: false },
    { ...newest, query: all(term(tenant, name), query) },
  ]);
  const { responses } = await connection.ask((client) =>
    client.msearch({ searches: searches as estypes.MsearchRequestItem[] }),
  );
  for (const [i, response] of responses.entries()) {
    if ('error' in response) throw unavailable(`${response.error.type} ${response.error.reason ?? ''}`);
    const value = response.hits.hits[0]?.sort?.[0];
    if (value !== undefined) found.set(itemAt(tenants, i), Number(value));
  }
}

/**
 * Selects rows of each tenant from its own time on, and some before: tenants with near times share a condition, as the
 * number of conditions in a query is limited.
 */
export function sinceQuery(tenantField: string, timeField: string, since: ReadonlyMap<string, number>): DocumentQuery {
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
