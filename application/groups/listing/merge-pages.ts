import { invalid } from '#domain/fault.ts';
import type { Page, PartRequest } from '#domain/page.ts';

/** A list in its order, of which a page can be read from any cursor of it. */
export interface PagedList<T> {
  find(page: PartRequest): Promise<Page<T>>;
  /** Never rises when the order is descending, never falls when it is ascending. */
  keyOf(item: T): number;
}
/** Position of each list: its beginning (null), a cursor, or its end (false). */
type ListCursors = readonly (string | null | false)[];

const encode = (places: ListCursors): string => btoa(JSON.stringify(places)).replaceAll('+', '-').replaceAll('/', '_');

function decode(cursor: string, lists: number): ListCursors {
  try {
    const places = JSON.parse(atob(cursor.replaceAll('-', '+').replaceAll('_', '/'))) as unknown;
    const isPlace = (place: unknown): boolean => place === null || place === false || typeof place === 'string';
    if (Array.isArray(places) && places.length === lists && places.every(isPlace)) return places as ListCursors;
  } catch {
    // It is refused below.
  }
  throw invalid('cursor', 'invalid cursor');
}

interface ListPage<T> {
  readonly list: PagedList<T>;
  readonly from: string | null | false;
  readonly page: Page<T>;
}

const asked = (from: string | null, limit: number): PartRequest =>
  from === null ? { limit } : { limit, cursor: from };

/** A list that is at its end is still counted. */
async function read<T>(list: PagedList<T>, from: ListCursors[number], limit: number): Promise<ListPage<T>> {
  if (from !== false) return { list, from, page: await list.find(asked(from, limit)) };
  const { total } = await list.find({ limit: 1 });
  return { list, from, page: { items: [], total, nextCursor: null } };
}

/** Returns the position of the list after this number of items of its page. */
async function placeAfter<T>({ list, from, page }: ListPage<T>, taken: number): Promise<ListCursors[number]> {
  if (from === false) return false;
  if (taken === page.items.length) return page.nextCursor ?? false;
  if (taken === 0) return from;
  return (await list.find(asked(from, taken))).nextCursor ?? false;
}

/** Returns one page of several lists as one, in the order of their keys; of equal keys the earlier list precedes. */
export async function mergedPage<T>(
  lists: readonly PagedList<T>[],
  order: 'asc' | 'desc',
  { limit, cursor }: PartRequest,
): Promise<Page<T>> {
  const places: ListCursors = cursor === undefined ? lists.map(() => null) : decode(cursor, lists.length);
  const reads = await Promise.all(lists.map((list, at) => read(list, places[at] ?? null, limit)));
  const sign = order === 'asc' ? 1 : -1;
  const rows = reads
    .flatMap(({ list, page }, at) => page.items.map((item) => ({ item, at, key: sign * list.keyOf(item) })))
    .sort((a, b) => a.key - b.key)
    .slice(0, limit);
  const taken = reads.map((_, at) => rows.filter((row) => row.at === at).length);
  const next = await Promise.all(reads.map((one, at) => placeAfter(one, taken[at] ?? 0)));
  return {
    items: rows.map(({ item }) => item),
    total: reads.reduce((sum, { page }) => sum + page.total, 0),
    nextCursor: next.every((place) => place === false) ? null : encode(next),
  };
}
