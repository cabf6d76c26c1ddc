import type { estypes } from '@elastic/elasticsearch';
import { slices } from '#domain/slices.ts';
import { type Connection, unavailable } from '#infra/elasticsearch/cluster/connection.ts';
import { versionOf } from '#infra/elasticsearch/cluster/search.ts';

/** The address of a document. */
export interface DocumentAddress {
  readonly index: string;
  readonly id: string;
}

const AT_ONCE = 1_000;
const MISSING = 'index_not_found_exception';

type DocumentAnswer = estypes.MgetResponseItem<unknown>;

async function answersTo(
  connection: Connection,
  places: readonly DocumentAddress[],
  source: readonly string[] | undefined,
): Promise<DocumentAnswer[]> {
  const found: DocumentAnswer[] = [];
  for (const some of slices(places, AT_ONCE)) {
    const chunk = some.map(({ index, id }) => ({ _index: index, _id: id }));
    const { docs } = await connection.ask((client) =>
      client.mget({ docs: chunk, ...(source === undefined ? {} : { _source_includes: [...source] }) }),
    );
    found.push(...docs);
  }
  return found;
}

/** Background work that reads in the same turn shares a request. */
function answersOf(
  connection: Connection,
  places: readonly DocumentAddress[],
  source?: readonly string[],
): Promise<readonly DocumentAnswer[]> | readonly DocumentAnswer[] {
  if (places.length === 0) return [];
  const ask = (all: readonly DocumentAddress[]): Promise<DocumentAnswer[]> => answersTo(connection, all, source);
  return connection.isUrgent ? ask(places) : connection.joined.ask(`documents ${source?.join() ?? ''}`, places, ask);
}

/** Reads the latest state of documents by id, refreshed or not; undefined for missing ones. */
export async function readMany<T>(
  connection: Connection,
  places: readonly DocumentAddress[],
  source?: readonly string[],
): Promise<(T | undefined)[]> {
  const answers = await answersOf(connection, places, source);
  return answers.map((answer) => sourceOf(answer as estypes.MgetResponseItem<T>));
}

/** The same of one, with the version that a write expects. */
export async function readVersioned<T>(connection: Connection, place: DocumentAddress) {
  const [answer] = (await answersOf(connection, [place])) as [estypes.GetGetResult<T>];
  const document = sourceOf<T>(answer);
  return document === undefined ? null : { document, ...versionOf(answer) };
}

/** A shard that does not answer is not a document that does not exist. */
function sourceOf<T>(doc: estypes.MgetResponseItem<T>): T | undefined {
  if (!('error' in doc)) return doc._source;
  if (doc.error.type === MISSING) return undefined;
  throw unavailable(`${doc.error.type} ${doc.error.reason ?? ''}`);
}
