import type { estypes } from '@elastic/elasticsearch';
import { slices } from '#domain/slices.ts';
import { type Connection, unavailable } from '#infra/elasticsearch/cluster/connection.ts';

/** The address of a document. */
export interface DocumentAddress {
  readonly index: string;
  readonly id: string;
}

const AT_ONCE = 1_000;
const MISSING = 'index_not_found_exception';

/** Reads the latest state of documents by id, refreshed or not; undefined for missing ones. */
export async function readMany<T>(
  connection: Connection,
  places: readonly DocumentAddress[],
  source?: readonly string[],
): Promise<(T | undefined)[]> {
  const found: (T | undefined)[] = [];
  for (const some of slices(places, AT_ONCE)) {
    const chunk = some.map(({ index, id }) => ({ _index: index, _id: id }));
    const { docs } = await connection.ask((client) =>
      client.mget<T>({ docs: chunk, ...(source === undefined ? {} : { _source_includes: [...source] }) }),
    );
    for (const doc of docs) found.push(sourceOf(doc));
  }
  return found;
}

/** A shard that does not answer is not a document that does not exist. */
function sourceOf<T>(doc: estypes.MgetResponseItem<T>): T | undefined {
  if (!('error' in doc)) return doc._source;
  if (doc.error.type === MISSING) return undefined;
  throw unavailable(`${doc.error.type} ${doc.error.reason ?? ''}`);
}
