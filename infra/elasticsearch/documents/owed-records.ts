/** Records that go along with a change lie in the document of the change until they are put where they belong. */

import type { estypes } from '@elastic/elasticsearch';
import type { SideRecord } from '#domain/side-record.ts';
import { isConflict, isMissing } from '#infra/elasticsearch/cluster/connection.ts';
import { term } from '#infra/elasticsearch/cluster/query.ts';
import { sourceOf, versionOf } from '#infra/elasticsearch/cluster/search.ts';
import type { Store } from '#infra/elasticsearch/cluster/store.ts';
import { type RecordDocument, recordWrite, type Stored, writeRecord } from './record-document.ts';

/** Documents moved per turn of the sweep, and turns of one call. */
const CHUNK = 100;
const TURNS = 100;

/** Records that a document carries until they are moved to their place. */
export const owing = (along: readonly SideRecord[] = []): Pick<RecordDocument, 'along' | 'owes'> =>
  along.length === 0 ? {} : { along, owes: true };

/** Puts records where they belong; one that is there already stays. */
export async function keepRecords(store: Store, along: readonly SideRecord[]): Promise<void> {
  if (along.length > 0) await store.bulk.write(along.map((one) => recordWrite(store.names, one)));
}

/** Moves what a document carries, and says in the document that it is done, unless that has changed meanwhile. */
export async function settleRecord(store: Store, stored: Stored): Promise<void> {
  const { along, owes: _, ...document } = stored.document;
  if (along === undefined) return;
  await keepRecords(store, along);
  try {
    await writeRecord(store, stored, document);
  } catch (error) {
    // A writer of the document first moves the records that it carries.
    if (!isConflict(error) && !isMissing(error)) throw error;
  }
}

type Hit = estypes.SearchHit<RecordDocument>;
const storedOf = (hit: Hit): Stored => ({ document: sourceOf(hit), ...versionOf(hit) });

/** Moves what a process that was killed, or did not reach the store, has left in documents. One that fails keeps no other back. */
export async function settleRecords(store: Store): Promise<void> {
  const { connection, names, indices } = store;
  for (let turn = 0; turn < TURNS; turn++) {
    await indices.refresh('records');
    const asked = { query: term('owes', true), size: CHUNK, sort: ['_doc'], seq_no_primary_term: true };
    const request = { index: names.every('records'), ...asked, allow_partial_search_results: false };
    const { hits } = await connection.askPatiently((client) =>
      client.search<RecordDocument>(request as estypes.SearchRequest),
    );
    const moved = await Promise.allSettled(hits.hits.map((hit) => settleRecord(store, storedOf(hit))));
    const failed = moved.find((one) => one.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
    if (hits.hits.length < CHUNK) return;
  }
}
