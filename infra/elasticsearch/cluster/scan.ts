import type { Connection } from './connection.ts';
import { count, type DocumentQuery, type SearchAfter, search } from './search.ts';

interface Scan {
  readonly index: string;
  readonly query: DocumentQuery;
  /** Field of a long, ascending. */
  readonly sort: string;
  /** Parts of the documents; absent: whole. */
  readonly source?: readonly string[];
  /** Maximum of rows, of more the last ones. */
  readonly most?: number;
}

const PAGE = 1_000;
/** Time for processing one page. */
const KEEP_ALIVE = '5m';

/** Yields all documents of a query as of its start, a page at a time. */
export async function* scan<T>(connection: Connection, asked: Scan): AsyncGenerator<readonly T[]> {
  const { index, query, sort, source, most } = asked;
  let skip = most === undefined ? 0 : Math.max(0, (await count(connection, index, query)) - most);
  let { id } = await connection.askPatiently((client) => client.openPointInTime({ index, keep_alive: KEEP_ALIVE }));
  let after: SearchAfter | undefined;
  try {
    for (;;) {
      const { documents, ends, pit } = await search<T>(connection, {
        pit: { id, keep_alive: KEEP_ALIVE },
        query,
        size: PAGE,
        sort: [{ [sort]: 'asc' }, { _shard_doc: 'asc' }],
        ...(source === undefined ? {} : { _source: source }),
        ...(after === undefined ? {} : { search_after: after }),
      });
      id = pit ?? id;
      if (skip < documents.length) yield documents.slice(skip);
      skip = Math.max(0, skip - documents.length);
      after = ends.at(-1);
      if (documents.length < PAGE) return;
    }
  } finally {
    // One that cannot be closed ends with its time.
    await connection.ask((client) => client.closePointInTime({ id })).catch(() => undefined);
  }
}
