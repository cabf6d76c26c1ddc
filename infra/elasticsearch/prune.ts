import type { estypes } from '@elastic/elasticsearch';
import { assertDefined } from '#domain/assert.ts';
import type { Clock } from '#domain/ports/clock.ts';
import { versionOf } from '#infra/elasticsearch/cluster/search.ts';
import type { Family } from './cluster/names.ts';
import { all, any, not, range, term } from './cluster/query.ts';
import type { DocumentQuery } from './cluster/search.ts';
import type { Store } from './cluster/store.ts';

const CHUNK = 1_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Time that a removed record stays, so that no process that still holds it can restore it. */
const REMOVED_MS = HOUR_MS;
const DELIVERIES_MS = DAY_MS;
/** Required for an hour; longer, for pipelines that lag. */
const RECOVERIES_MS = DAY_MS;

/** Deletes documents as they are now; one that changes meanwhile stays. Returns how many. */
export async function removeWhere(
  { connection, names }: Store,
  family: Family,
  query: DocumentQuery,
  isStopping: () => boolean = () => false,
): Promise<number> {
  let removed = 0;
  for (;;) {
    const asked = { query, size: CHUNK, sort: ['_doc'], _source: false, seq_no_primary_term: true };
    const request = { index: names.every(family), ...asked, allow_partial_search_results: false };
    const { hits } = await connection.askPatiently((client) => client.search(request as estypes.SearchRequest));
    if (hits.hits.length === 0) return removed;
    const operations = hits.hits.map((hit) => ({
      delete: { _index: hit._index, _id: assertDefined(hit._id, 'id of a hit'), ...versionOf(hit) },
    }));
    const { items } = await connection.askPatiently((client) => client.bulk({ operations, refresh: true }));
    const gone = items.filter(({ delete: item }) => assertDefined(item, 'answer').status < 300).length;
    removed += gone;
    // Rows that could not be deleted wait for the next turn.
    if (gone === 0 || isStopping()) return removed;
  }
}

/** Deletes obsolete records: answered deliveries, recoveries, expired and removed records. */
export async function forgetOld(store: Store, clock: Clock): Promise<void> {
  const now = clock.now();
  const past = any(range('expiresAt', { lte: now }), range('removedAt', { lt: now - REMOVED_MS }));
  await removeWhere(store, 'records', all(past, not(term('owes', true))));
  await removeWhere(store, 'deliveries', range('delivery.at', { lt: now - DELIVERIES_MS }));
  await removeWhere(store, 'recoveries', range('recovery.receivedAt', { lt: now - RECOVERIES_MS }));
}
