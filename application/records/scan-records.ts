import type { Page } from '#domain/page.ts';
import type { RecordStore, StoredRecord } from '#domain/ports/record-store.ts';

interface Scan<T> {
  readonly kind: string;
  readonly descending: boolean;
  /** Maximum of returned items. */
  readonly limit: number;
  /** The id before the first scanned one. */
  readonly after?: string | undefined;
  /** The last id that is worth a look. */
  readonly until?: string;
  /** Records scanned; the cursor continues from there. */
  readonly atMost: number;
  /** Records read at once. */
  readonly chunk: number;
  readonly matches: (body: T) => boolean;
}

/** Returns matching records of a kind, in the order of their ids. `total` counts matches among the scanned records. */
export const scanRecords = async <T>(
  records: RecordStore,
  tenant: string,
  { kind, descending, limit, after: start, until, atMost, chunk: size, matches }: Scan<T>,
): Promise<Page<StoredRecord<T>>> => {
  const items: StoredRecord<T>[] = [];
  let [after, total, scanned, atEnd] = [start, 0, 0, false];
  const isOver = (id: string): boolean => until !== undefined && (descending ? id < until : id > until);
  while (!atEnd && scanned < atMost) {
    const options = { limit: size, descending, ...(after === undefined ? {} : { after }) };
    const chunk = await records.list<T>(tenant, kind, options);
    const found = chunk.filter(({ body }) => matches(body));
    items.push(...found.slice(0, limit - items.length));
    total += found.length;
    scanned += chunk.length;
    after = chunk.at(-1)?.id ?? after;
    atEnd = chunk.length < size || (after !== undefined && isOver(after));
  }
  const last = total > items.length ? items.at(-1)?.id : undefined;
  const nextCursor = last ?? (atEnd ? null : (after ?? null));
  return { items, total, nextCursor };
};
