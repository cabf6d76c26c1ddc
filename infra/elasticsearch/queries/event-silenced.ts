import { MAX_SILENCERS, type Silencer } from '#domain/ports/events/event-sweeps.ts';
import type { Connection } from '#infra/elasticsearch/cluster/connection.ts';
import { all, exists, term, terms } from '#infra/elasticsearch/cluster/query.ts';
import { type DocumentQuery, search } from '#infra/elasticsearch/cluster/search.ts';

const TENANT = 'event.tenant';
const BY = 'event.silencing.by';
const IS_SUPPRESSED = term('event.status', 'suppressed');

/** Selects events that it suppresses now; one that a user suppresses as well names no silence. */
export const heldQuery = ({ tenant, by }: Silencer): DocumentQuery =>
  all(term(TENANT, tenant), term(BY, by), IS_SUPPRESSED);

interface Pairs {
  readonly pairs: { readonly buckets: readonly { readonly key: { readonly tenant: string; readonly by: string } }[] };
}

export async function silencers(connection: Connection, index: string): Promise<readonly Silencer[]> {
  const sources = [{ tenant: { terms: { field: TENANT } } }, { by: { terms: { field: BY } } }];
  const aggs = { pairs: { composite: { size: MAX_SILENCERS, sources } } };
  const query = all(IS_SUPPRESSED, exists(BY));
  const { aggregations } = await search<unknown, Pairs>(connection, { index, size: 0, query, aggs });
  return (aggregations?.pairs.buckets ?? []).map(({ key: { tenant, by } }) => ({ tenant, by }));
}

interface SilencedAggregation {
  readonly by: { readonly buckets: readonly { readonly key: string; readonly doc_count: number }[] };
}

export async function caught(
  connection: Connection,
  index: string,
  [tenant, by]: readonly [tenant: string, by: readonly string[]],
): Promise<ReadonlyMap<string, number>> {
  if (by.length === 0) return new Map();
  const query = all(term(TENANT, tenant), terms(BY, by));
  const aggs = { by: { terms: { field: BY, size: by.length, include: [...by] } } };
  const { aggregations } = await search<unknown, SilencedAggregation>(connection, { index, size: 0, query, aggs });
  return new Map((aggregations?.by.buckets ?? []).map(({ key, doc_count }) => [key, doc_count]));
}
