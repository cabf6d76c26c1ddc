import { Buffer } from 'node:buffer';
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { entryOf, firstItem } from '#domain/assert.ts';
import { lastReturn, wasClosedAt } from '#domain/correlation/grouping/groups.ts';
import type { Enriched } from '#domain/correlation/records.ts';
import { Fault } from '#domain/fault.ts';
import type { EnrichedKey, EventKey } from '#domain/pipeline/processor.ts';
import {
  type Changes,
  type JournalPage,
  type LoadedRows,
  MAX_PAGE_BYTES,
  type PipelineStore,
} from '#domain/ports/pipeline-store.ts';
import type { DocumentWrite } from '#infra/elasticsearch/cluster/bulk.ts';
import { isConflict, isMissing, unavailable } from '#infra/elasticsearch/cluster/connection.ts';
import type { Family, Names } from '#infra/elasticsearch/cluster/names.ts';
import type { Store } from '#infra/elasticsearch/cluster/store.ts';
import {
  decisionWrite,
  enrichedWrites,
  groupWrite,
  readEnriched,
  withRearrivals,
} from '#infra/elasticsearch/documents/correlation-documents.ts';
import { type DocumentAddress, readMany } from '#infra/elasticsearch/documents/documents.ts';
import { eventWrite, readEvents } from '#infra/elasticsearch/documents/event-document.ts';
import { deliveryWrite, readDeliveries, recoveryWrite } from '#infra/elasticsearch/documents/pipeline-documents.ts';
import { recordWrite } from '#infra/elasticsearch/documents/record-document.ts';
import { readTransitions } from '#infra/elasticsearch/queries/event-transitions.ts';
import { standingGroup } from '#infra/elasticsearch/queries/group-lookup.ts';
import { readGroupsOf, readJoined } from '#infra/elasticsearch/queries/stored-group.ts';
import { openSnapshot } from './snapshot.ts';

/** A page as stored; it contains much repetition, and Elasticsearch processes every byte of it. */
type StoredPage = { readonly number: number } & ({ readonly body: string } | { readonly zstd: string });

/** Characters below which compression costs more than it saves. */
const PACKED_FROM = 2_000;
const FASTEST = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

const pack = ({ number, body }: JournalPage): StoredPage =>
  body.length < PACKED_FROM ? { number, body } : { number, zstd: zstdCompressSync(body, FASTEST).toString('base64') };

const unpack = (stored: StoredPage): JournalPage =>
  'body' in stored
    ? stored
    : { number: stored.number, body: zstdDecompressSync(Buffer.from(stored.zstd, 'base64')).toString() };

const checked = (stored: StoredPage): StoredPage => {
  const bytes = 'zstd' in stored ? stored.zstd.length : Buffer.byteLength(stored.body);
  if (bytes > MAX_PAGE_BYTES) throw new Fault('too-large', `Page too large: ${bytes} bytes, maximum ${MAX_PAGE_BYTES}`);
  return stored;
};

const placeOf = (names: Names, owner: string): DocumentAddress => ({ index: names.single('journal'), id: owner });

/** The last batch of an owner as it was last written, refreshed or not. */
async function readJournal({ connection, names }: Store, owner: string): Promise<JournalPage | null> {
  const [page] = await readMany<StoredPage>(connection, [placeOf(names, owner)]);
  return page === undefined ? null : unpack(page);
}

/** False, and nothing is written, when this number or a later one is there already. */
async function writeJournal(store: Store, owner: string, page: JournalPage): Promise<boolean> {
  const { connection, names, indices } = store;
  const request = {
    ...placeOf(names, owner),
    document: checked(pack(page)),
    version: page.number,
    version_type: 'external' as const,
  };
  await indices.ensure(request.index);
  try {
    // Not sent twice: the second would find the first's number in use.
    await connection.askPatiently((client) => client.index({ ...request, require_alias: true }, { maxRetries: 0 }));
    return true;
  } catch (error) {
    if (isConflict(error)) return false;
    if (!isMissing(error)) throw error;
    indices.forget(request.index);
    throw unavailable('its journal was dropped', error);
  }
}

/** Only who creates an event may make the index of its week: a change of one that was dropped must not bring it back. */
const writesOf = (names: Names, changes: Changes): DocumentWrite[] => [
  ...changes.events.map(({ event, parts }) => eventWrite(names, event, parts.has('created'))),
  ...changes.recoveries.map((recovery) => recoveryWrite(names, recovery)),
  ...changes.deliveries.map((delivery) => deliveryWrite(names, delivery)),
  ...changes.enriched.flatMap((enriched) => enrichedWrites(names, enriched)),
  ...changes.decisions.map((decision) => decisionWrite(names, decision)),
  ...changes.groups.map((group) => groupWrite(names, group)),
  ...(changes.records ?? []).map((record) => recordWrite(names, record)),
];

/** Families whose documents change, so that a `kept` one was changed by another process. */
const CHANGING: readonly Family[] = ['events', 'recoveries', 'groups'];

/**
 * Reads also the records between the first and the last, where the last arrived too late, or may hide (`returns`) an
 * earlier return of the event.
 */
async function readUpTo(store: Store, keys: readonly EnrichedKey[], returns: boolean): Promise<Enriched[][]> {
  const through = new Map<string, number>();
  for (const { id, through: most = Number.POSITIVE_INFINITY } of keys)
    through.set(id, Math.min(most, through.get(id) ?? most));
  return withRearrivals(
    store,
    await readEnriched(store, [...new Map(keys.map((key) => [`${key.tenant}/${key.id}`, key])).values()]),
    ({ eventId, position, again }) => position > entryOf(through, eventId) || (returns && again !== 'returned'),
  );
}

/** Removes the groups that had closed when their event returned. */
async function withoutLeft(
  store: Store,
  joined: Map<string, string>,
  keys: readonly EnrichedKey[],
  enriched: readonly (readonly Enriched[])[],
): Promise<Map<string, string>> {
  const through = new Map(keys.map(({ id, through: most = Number.POSITIVE_INFINITY }) => [id, most]));
  for (const records of enriched) {
    const { tenant, eventId } = firstItem(records).arrival;
    const returned = lastReturn(records, through.get(eventId));
    const id = joined.get(eventId);
    if (returned === undefined || id === undefined) continue;
    const group = await standingGroup(store, tenant, id);
    if (group && wasClosedAt(group, returned)) joined.delete(eventId);
  }
  return joined;
}

/** The closed groups that these events are in. */
async function readHomes(store: Store, keys: readonly EventKey[]): Promise<Map<string, string>> {
  const homes = await readJoined(store, keys);
  for (const { tenant, id } of keys) {
    const name = homes.get(id);
    const group = name === undefined ? null : await standingGroup(store, tenant, name);
    if (group?.status === 'closed') homes.set(id, group.id);
    else homes.delete(id);
  }
  return homes;
}

async function load(store: Store, reads: Parameters<PipelineStore['load']>[0]): Promise<LoadedRows> {
  const [events, deliveries, enriched, joined, homes, groupsOf, turns] = await Promise.all([
    readEvents(store, reads.events ?? []),
    readDeliveries(store, reads.deliveries ?? []),
    readUpTo(store, reads.enriched ?? [], reads.joined !== undefined),
    readJoined(store, reads.joined ?? []),
    readHomes(store, reads.homes ?? []),
    readGroupsOf(store, reads.groupsOf ?? []),
    readTransitions(store, reads.turns ?? []),
  ]);
  return {
    events: new Map(events.map((event) => [event.id, event])),
    deliveries: new Map(deliveries.map((delivery) => [`${delivery.tenant}\n${delivery.id}`, delivery])),
    enriched: new Map(enriched.map((records) => [firstItem(records).arrival.eventId, records])),
    joined: reads.joined === undefined ? joined : await withoutLeft(store, joined, reads.enriched ?? [], enriched),
    homes,
    groupsOf,
    turns,
  };
}

async function save({ bulk, names }: Store, changes: Changes): Promise<{ furtherOn: EventKey[] }> {
  const writes = writesOf(names, changes);
  const outcomes = await bulk.write(writes);
  const stale = writes.filter(
    ({ family }, i) => outcomes[i] === 'gone' || (outcomes[i] === 'kept' && CHANGING.includes(family)),
  );
  return { furtherOn: stale.map(({ key }) => key) };
}

/** The reads and saves of processors of distributed mode; everything is read by id as it was last saved. */
export const openPipelineStore = (store: Store): PipelineStore => ({
  load: (reads) => load(store, reads),
  save: (changes) => save(store, changes),
  restorable: (mine, options = {}) => openSnapshot(store, mine, options),
  readJournal: (owner) => readJournal(store, owner),
  writeJournal: (owner, page) => writeJournal(store, owner, page),
});
