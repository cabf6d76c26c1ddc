import type { estypes } from '@elastic/elasticsearch';
import { assertDefined } from '#domain/assert.ts';
import type { StoredRecord } from '#domain/ports/record-store.ts';
import type { SideRecord } from '#domain/side-record.ts';
import type { DocumentWrite } from '#infra/elasticsearch/cluster/bulk.ts';
import { type Connection, refusedItem } from '#infra/elasticsearch/cluster/connection.ts';
import { documentId, type Names } from '#infra/elasticsearch/cluster/names.ts';
import { versionOf } from '#infra/elasticsearch/cluster/search.ts';
import type { Store } from '#infra/elasticsearch/cluster/store.ts';
import { readVersioned } from './documents.ts';

export interface RecordDocument {
  readonly tenant: string;
  readonly kind: string;
  readonly id: string;
  readonly revision: number;
  /** Gone from then on, ms. */
  readonly expiresAt?: number;
  /** A removed record stays for a while, so that a late write meets it. */
  readonly removedAt?: number;
  readonly body: unknown;
  /** Side records of the last change that are not moved yet; the stored name stays. `owes` marks the document for the search. */
  readonly along?: readonly SideRecord[];
  readonly owes?: true;
}

/** Records are listed by tenant and kind. */
export const scopeOf = (tenant: string, kind: string): string => `${tenant}\n${kind}`;

/** Writes a new record of a batch: when the batch is repeated, it exists already. */
export function recordWrite(names: Names, { tenant, kind, id, body, expiresAt }: SideRecord): DocumentWrite {
  const document: RecordDocument = {
    tenant,
    kind,
    id,
    revision: 1,
    ...(expiresAt !== undefined && { expiresAt }),
    body,
  };
  return {
    family: 'records',
    index: names.single('records'),
    id: documentId(tenant, kind, id),
    key: { tenant, id },
    scope: scopeOf(tenant, kind),
    fence: 'none',
    version: 1,
    body: document,
    creates: true,
  };
}

/** A document as found, with the version that a write must name to replace no other. */
export interface VersionedDocument {
  readonly document: RecordDocument;
  readonly if_seq_no: number;
  readonly if_primary_term: number;
}

export const isLive = ({ expiresAt, removedAt }: RecordDocument, now: number): boolean =>
  removedAt === undefined && (expiresAt === undefined || expiresAt > now);

export const toRecord = <T>({ id, revision, body }: RecordDocument): StoredRecord<T> => ({
  id,
  revision,
  body: body as T,
});

export const readRecord = (
  { connection, names }: Store,
  tenant: string,
  kind: string,
  id: string,
): Promise<VersionedDocument | null> =>
  readVersioned<RecordDocument>(connection, { index: names.single('records'), id: documentId(tenant, kind, id) });

interface FencedWrite {
  readonly action: object;
  readonly document: RecordDocument;
}

/** Not sent twice: the second would meet the first and look like a conflict. */
const ONCE = { maxRetries: 0 };

const sendAll = async (connection: Connection, writes: readonly FencedWrite[]): Promise<estypes.BulkResponseItem[]> => {
  const operations = writes.flatMap(({ action, document }) => [action, document]);
  const { items } = await connection.ask((client) => client.bulk({ operations, require_alias: true }, ONCE));
  return items.flatMap((item) => Object.values(item));
};

/**
 * Replaces exactly the found record; returns the new state. Throws a conflict when it is not there any more. What background work
 * writes in one turn is sent together.
 */
export async function writeRecord(
  store: Store,
  before: Pick<VersionedDocument, 'if_seq_no' | 'if_primary_term'> | null,
  document: RecordDocument,
): Promise<VersionedDocument> {
  const { connection, names, indices } = store;
  const _index = names.single('records');
  await indices.ensure(_index);
  const _id = documentId(document.tenant, document.kind, document.id);
  const fence = before && { if_seq_no: before.if_seq_no, if_primary_term: before.if_primary_term };
  const action = fence === null ? { create: { _index, _id } } : { index: { _index, _id, ...fence } };
  const send = (all: readonly FencedWrite[]): Promise<estypes.BulkResponseItem[]> => sendAll(connection, all);
  const write = { action, document };
  const [written] = await (connection.isUrgent ? send([write]) : connection.joined.ask('records', [write], send));
  const { status, error, ...version } = assertDefined(written, 'answer to a write');
  indices.wrote('records', [scopeOf(document.tenant, document.kind)]);
  if (error !== undefined) throw refusedItem(status, error);
  return { document, ...versionOf(version) };
}
