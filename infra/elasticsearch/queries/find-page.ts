import type { Page, PageRequest, Part } from '#domain/page.ts';
import type { Connection } from '#infra/elasticsearch/cluster/connection.ts';
import { type DocumentQuery, type SearchAfter, search } from '#infra/elasticsearch/cluster/search.ts';
import { decodeCursor, encodeCursor } from '#infra/page-cursor.ts';

export interface PageSearch<S extends string> {
  readonly index: string;
  readonly query: DocumentQuery;
  readonly page: PageRequest<S>;
  /** Field sorted by, a number, and the field of the id that orders ties. */
  readonly key: string;
  readonly id: string;
}

const sortOf = <S extends string>({ page: { order }, key, id }: PageSearch<S>) => [{ [key]: order }, { [id]: order }];

/** Reads from the cursor on; one row more than is shown detects that there is more. */
const behind = <S extends string>({ sort, order, limit, cursor }: PageRequest<S>) => {
  const end = cursor === undefined ? null : decodeCursor(sort, order, cursor);
  return { size: limit + 1, ...(end !== null && { search_after: [end.key, end.id] }) };
};

const cursorAfter = <S extends string>(
  { sort, order }: PageRequest<S>,
  last: SearchAfter | undefined,
): string | null =>
  last === undefined ? null : encodeCursor(sort, order, { key: Number(last[0]), id: String(last[1]) });

/** Returns documents in their order by cursor; without a total. */
export async function findPart<T, S extends string>(connection: Connection, asked: PageSearch<S>): Promise<Part<T>> {
  const { index, query, page } = asked;
  const { documents, ends } = await search<T>(connection, { index, query, sort: sortOf(asked), ...behind(page) });
  const more = documents.length > page.limit;
  return { items: documents.slice(0, page.limit), nextCursor: more ? cursorAfter(page, ends[page.limit - 1]) : null };
}

/** One page of documents with the exact total, by offset or by cursor. */
export async function findPage<T, S extends string>(connection: Connection, asked: PageSearch<S>): Promise<Page<T>> {
  const { index, query, page } = asked;
  const { limit, offset = 0, cursor } = page;
  const { documents, ends, total } = await search<T>(connection, {
    index,
    query,
    sort: sortOf(asked),
    track_total_hits: true,
    // The total shows if there is more by offset, so that the last page stays within the window of results.
    ...(cursor === undefined ? { from: offset, size: limit } : behind(page)),
  });
  const items = documents.slice(0, limit);
  const more = cursor === undefined ? offset + items.length < total : documents.length > limit;
  return { items, total, nextCursor: more ? cursorAfter(page, ends[items.length - 1]) : null };
}
