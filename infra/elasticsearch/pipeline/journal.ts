import { Buffer } from 'node:buffer';
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { Fault } from '#domain/fault.ts';
import { type JournalPage, MOST_PAGE_BYTES } from '#domain/ports/pipeline-store.ts';
import { isConflict, isMissing, unavailable } from '#infra/elasticsearch/cluster/connection.ts';
import type { Names } from '#infra/elasticsearch/cluster/names.ts';
import type { Store } from '#infra/elasticsearch/cluster/store.ts';
import { type DocumentAddress, readMany } from '#infra/elasticsearch/documents/documents.ts';

/** A page as stored; much of what it says it says several times, and Elasticsearch works on every byte of it. */
type Stored = { readonly number: number } & ({ readonly body: string } | { readonly zstd: string });

/** Below this many characters packing costs more than it saves. */
const PACKED_FROM = 2_000;
const FASTEST = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

const pack = ({ number, body }: JournalPage): Stored =>
  body.length < PACKED_FROM ? { number, body } : { number, zstd: zstdCompressSync(body, FASTEST).toString('base64') };

const unpack = (stored: Stored): JournalPage =>
  'body' in stored
    ? stored
    : { number: stored.number, body: zstdDecompressSync(Buffer.from(stored.zstd, 'base64')).toString() };

const checked = (stored: Stored): Stored => {
  const bytes = 'zstd' in stored ? stored.zstd.length : Buffer.byteLength(stored.body);
  if (bytes > MOST_PAGE_BYTES)
    throw new Fault('too-large', `A page has ${bytes} bytes; the store takes ${MOST_PAGE_BYTES}`);
  return stored;
};

const placeOf = (names: Names, owner: string): DocumentAddress => ({ index: names.single('journal'), id: owner });

/** The last batch of an owner as it was last written, refreshed or not. */
export async function readJournal({ connection, names }: Store, owner: string): Promise<JournalPage | null> {
  const [page] = await readMany<Stored>(connection, [placeOf(names, owner)]);
  return page === undefined ? null : unpack(page);
}

/** False, and nothing is written, when this number or a later one is there already. */
export async function writeJournal(store: Store, owner: string, page: JournalPage): Promise<boolean> {
  const { connection, names, indices } = store;
  const request = {
    ...placeOf(names, owner),
    document: checked(pack(page)),
    version: page.number,
    version_type: 'external' as const,
  };
  await indices.ensure(request.index);
  try {
    // Not sent twice: the second would find the first's number taken.
    await connection.askPatiently((client) => client.index({ ...request, require_alias: true }, { maxRetries: 0 }));
    return true;
  } catch (error) {
    if (isConflict(error)) return false;
    if (!isMissing(error)) throw error;
    indices.forget(request.index);
    throw unavailable('its journal was dropped', error);
  }
}
