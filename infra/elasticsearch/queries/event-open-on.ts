import { SEVERITIES, type Status, severityOfRank } from '#domain/event/event.ts';
import type { OpenCounts } from '#domain/services/health.ts';
import type { Connection } from '#infra/elasticsearch/cluster/connection.ts';
import { IS_CHANGE } from '#infra/elasticsearch/cluster/is-open.ts';
import { all, not, term, terms } from '#infra/elasticsearch/cluster/query.ts';
import { search } from '#infra/elasticsearch/cluster/search.ts';

interface Aggregations {
  readonly cis: {
    readonly buckets: readonly {
      readonly key: string;
      readonly ranks: { readonly buckets: readonly { readonly key: number; readonly doc_count: number }[] };
    }[];
  };
}

const UNRESOLVED: readonly Status[] = ['open', 'acknowledged'];

/** Events by CI and severity, without changes. */
export async function openOn(
  connection: Connection,
  index: string,
  [tenant, ciIds, statuses = UNRESOLVED]: readonly [
    tenant: string,
    ciIds: readonly string[],
    statuses: readonly Status[] | undefined,
  ],
): Promise<ReadonlyMap<string, OpenCounts>> {
  const asked = [...new Set(ciIds)];
  if (asked.length === 0) return new Map();
  const query = all(
    term('event.tenant', tenant),
    terms('event.status', statuses),
    terms('event.ci.id', asked),
    not(IS_CHANGE),
  );
  const ranks = { terms: { field: 'rank', size: SEVERITIES.length } };
  const aggs = { cis: { terms: { field: 'event.ci.id', size: asked.length, execution_hint: 'map' }, aggs: { ranks } } };
  const { aggregations } = await search<unknown, Aggregations>(connection, { index, size: 0, query, aggs });
  return new Map(
    (aggregations?.cis.buckets ?? []).map(({ key, ranks: { buckets } }) => [
      key,
      Object.fromEntries(buckets.map(({ key: rank, doc_count }) => [severityOfRank(rank), doc_count])),
    ]),
  );
}
