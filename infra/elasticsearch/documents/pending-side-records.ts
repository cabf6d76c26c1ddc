/** Side records are stored in the document of their change until they are moved to their own place. */

import type { estypes } from '@elastic/elasticsearch';
import type { SideRecord } from '#domain/side-record.ts';
import { isConflict, isMissing } from '#infra/elasticsearch/cluster/connection.ts';
import { term } from '#infra/elasticsearch/cluster/query.ts';
import { sourceOf, versionOf } from '#infra/elasticsearch/cluster/search.ts';
import type { Store } from '#infra/elasticsearch/cluster/store.ts';
import { type RecordDocument, recordWrite, type VersionedDocument, writeRecord } from './record-document.ts';

/** Documents moved per turn of the sweep, and turns of one call. */
const CHUNK = 100;
const TURNS = 100;

/** Records that a document carries until they are moved to their place. */
export const pendingSideRecords = (along: readonly SideRecord[] = []): Pick<RecordDocument, 'along' | 'owes'> =>
  along.length === 0 ? {} : { along, owes: true };

/** Puts records where they belong; one that is there already stays. */
export async function storeSideRecords(store: Store, along: readonly SideRecord[]): Promise<void> {
  if (along.length > 0) await store.bulk.write(along.map((one) => recordWrite(store.names, one)));
}

/** Moves the side records of a document, and marks it as done, unless it has changed meanwhile. */
export async function flushSideRecordsOf(store: Store, stored: VersionedDocument): Promise<void> {
  const { along, owes: _, ...document } = stored.document;
  if (along === undefined) return;
  await storeSideRecords(store, along);
  try {
    await writeRecord(store, stored, document);
  } catch (error) {
    // A writer of the document first moves the records that it carries.
    if (!isConflict(error) && !isMissing(error)) throw error;
  }
}

type RecordHit = estypes.SearchHit<RecordDocument>;
const storedOf = (hit: RecordHit): VersionedDocument => ({ document: sourceOf(hit), ...versionOf(hit) });

/**
 * Moves side records left in documents by a process that was killed, or did not reach the store. A failed one does not
 * block others.
 */
export async function flushSideRecords(store: Store): Promise<void> {
  const { connection, names, indices } = store;
  for (let turn = 0; turn < TURNS; turn++) {
    await indices.refresh('records');
    const asked = { query: term('owes', true), size: CHUNK, sort: ['_doc'], seq_no_primary_term: true };
    const request = { index: names.every('records'), ...asked, allow_partial_search_results: false };
    const { hits } = await connection.askPatiently((client) =>
      client.search<RecordDocument>(request as estypes.SearchRequest),
    );
    const moved = await Promise.allSettled(hits.hits.map((hit) => flushSideRecordsOf(store, storedOf(hit))));
    const failed = moved.find((one) => one.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
    if (hits.hits.length < CHUNK) return;
  }
}
