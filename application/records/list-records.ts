import { lastItem } from '#domain/assert.ts';
import type { Page, Part, PartRequest } from '#domain/page.ts';
import type { RecordStore, StoredRecord } from '#domain/ports/record-store.ts';
import { PAGE_WINDOW, type Paging } from '#schemas/http/paging.ts';

const CHUNK = 1_000;

/** Yields all records of a kind in the order of ids, up to 1,000 at a time; the consumer may remove them. */
export async function* recordChunks<T>(
  records: RecordStore,
  tenant: string,
  kind: string,
): AsyncGenerator<readonly StoredRecord<T>[]> {
  let after: string | undefined;
  for (;;) {
    const chunk = await records.list<T>(tenant, kind, { limit: CHUNK, ...(after === undefined ? {} : { after }) });
    yield chunk;
    if (chunk.length < CHUNK) return;
    after = lastItem(chunk).id;
  }
}

/** Every record of a kind in the order of ids, at most 10,000. */
export const everyRecord = async <T>(records: RecordStore, tenant: string, kind: string): Promise<T[]> => {
  const all: T[] = [];
  for await (const chunk of recordChunks<T>(records, tenant, kind)) {
    for (const { body } of chunk) all.push(body);
    if (all.length >= PAGE_WINDOW) break;
  }
  return all;
};

/** The page that begins at a place of a list that is all there; by default a cursor is the id of the last one shown. */
export const pageFrom = <T extends { readonly id: string }>(
  all: readonly T[],
  start: number,
  limit: number,
  cursorOf: (last: T) => string = ({ id }) => id,
): Page<T> => {
  const items = all.slice(start, start + limit);
  const more = start + limit < all.length;
  return { items, total: all.length, nextCursor: more ? cursorOf(lastItem(items)) : null };
};

/** One page, of those only that match; a cursor is the id of the last record shown. */
export const recordPage = async <T extends { readonly id: string }>(
  records: RecordStore,
  tenant: string,
  kind: string,
  { page, limit, cursor }: Paging,
  matches: (body: T) => boolean = () => true,
): Promise<Page<T>> => {
  const all = (await everyRecord<T>(records, tenant, kind)).filter(matches);
  const start = cursor === undefined ? (page - 1) * limit : all.filter(({ id }) => id <= cursor).length;
  return pageFrom(all, start, limit);
};

/** Yields the rows of a list page by page, as long as the caller wants more. */
export async function* pagesOf<T>(
  limit: number,
  read: (page: PartRequest) => Promise<Part<T>>,
): AsyncGenerator<readonly T[]> {
  let cursor: string | null = null;
  do {
    const part: Part<T> = await read({ limit, ...(cursor !== null && { cursor }) });
    yield part.items;
    cursor = part.nextCursor;
  } while (cursor !== null);
}
