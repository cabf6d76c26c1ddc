import { assertDefined } from '#domain/assert.ts';
import { Fault } from '#domain/fault.ts';
import type { Clock } from '#domain/ports/clock.ts';
import type { RecordStore, StoredRecord } from '#domain/ports/record-store.ts';
import { isConflict, isMissing, unavailable } from './cluster/connection.ts';
import { all, any, exists, not, range, term } from './cluster/query.ts';
import { type SearchAfter, search } from './cluster/search.ts';
import type { Store } from './cluster/store.ts';
import { flushSideRecordsOf, pendingSideRecords, storeSideRecords } from './documents/pending-side-records.ts';
import {
  isLive,
  type RecordDocument,
  readRecord,
  scopeOf,
  toRecord,
  type VersionedDocument,
  writeRecord,
} from './documents/record-document.ts';

interface RecordPageOptions {
  readonly after?: string;
  readonly limit: number;
  readonly descending?: boolean;
}

/** Writers that meet at one record; each turn one of them gets through. */
const TURNS = 50;
const PAGE = 1_000;

/** Computes and writes until no other write interferes. `change`: null to leave the record unchanged. */
async function replace(
  store: Store,
  [tenant, kind, id]: readonly [string, string, string],
  change: (before: VersionedDocument | null) => RecordDocument | null,
): Promise<VersionedDocument | null> {
  for (let turn = 0; turn < TURNS; turn += 1) {
    const before = await readRecord(store, tenant, kind, id);
    const document = change(before);
    if (document === null) return null;
    if (before?.document.along !== undefined) await storeSideRecords(store, before.document.along);
    try {
      return await writeRecord(store, before, document);
    } catch (error) {
      if (isMissing(error)) store.indices.forget(store.names.single('records'));
      else if (!isConflict(error)) throw error;
    }
  }
  throw unavailable(`${kind} ${id} has too many concurrent changes`);
}

/** Moves side records of a change that is made: it cannot fail any more, and remaining ones are moved later. */
const settle = (store: Store, written: VersionedDocument): Promise<void> =>
  flushSideRecordsOf(store, written).catch(() => undefined);

async function list(
  { connection, names }: Store,
  [tenant, kind, now]: readonly [string, string, number],
  options: RecordPageOptions,
): Promise<RecordDocument[]> {
  const order = options.descending ? 'desc' : 'asc';
  const live = any(range('expiresAt', { gt: now }), not(exists('expiresAt')));
  const query = all(term('tenant', tenant), term('kind', kind), not(exists('removedAt')), live);
  const found: RecordDocument[] = [];
  let after: SearchAfter | undefined = options.after === undefined ? undefined : [options.after];
  while (found.length < options.limit) {
    const size = Math.min(PAGE, options.limit - found.length);
    const { documents, ends } = await search<RecordDocument>(connection, {
      index: names.every('records'),
      query,
      size,
      sort: [{ id: order }],
      ...(after === undefined ? {} : { search_after: after }),
    });
    found.push(...documents);
    if (documents.length < size) break;
    after = ends.at(-1);
  }
  return found;
}

/**
 * Point reads of records return the latest put; lists include puts of this process, and others' puts within a refresh.
 */
export const openRecordStore = (store: Store, clock: Clock): RecordStore => ({
  async get<T>(tenant: string, kind: string, id: string): Promise<StoredRecord<T> | null> {
    const stored = await readRecord(store, tenant, kind, id);
    return stored !== null && isLive(stored.document, clock.now()) ? toRecord<T>(stored.document) : null;
  },
  async put(tenant, kind, id, body, { expected, expiresAt, sideRecords } = {}) {
    const replaced = await replace(store, [tenant, kind, id], (before) => {
      const revision = before !== null && isLive(before.document, clock.now()) ? before.document.revision : 0;
      if (expected !== undefined && expected !== revision)
        throw new Fault('precondition', `${kind} ${id} is at revision ${revision}, not ${expected}`);
      const document = { tenant, kind, id, revision: revision + 1, body, ...pendingSideRecords(sideRecords) };
      return expiresAt === undefined ? document : { ...document, expiresAt };
    });
    const written = assertDefined(replaced, 'record');
    await settle(store, written);
    return written.document.revision;
  },
  async remove(tenant, kind, id, along) {
    const written = await replace(store, [tenant, kind, id], (before) => {
      const now = clock.now();
      if (before === null || !isLive(before.document, now)) return null;
      return {
        tenant,
        kind,
        id,
        revision: before.document.revision,
        removedAt: now,
        body: null,
        ...pendingSideRecords(along),
      };
    });
    if (written !== null) await settle(store, written);
    return written !== null;
  },
  async list<T>(tenant: string, kind: string, options: RecordPageOptions): Promise<StoredRecord<T>[]> {
    await store.indices.fresh('records', scopeOf(tenant, kind));
    return (await list(store, [tenant, kind, clock.now()], options)).map((document) => toRecord<T>(document));
  },
});
