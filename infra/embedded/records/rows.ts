import type { WriteBehindCache } from '#infra/embedded/journal/write-behind.ts';

/** A record as it is stored; `expires` in ms. */
export interface RecordTableRow {
  readonly id: string;
  readonly revision: number;
  readonly body: string;
  readonly expires: number | null;
}
export interface RecordListOptions {
  readonly now: number;
  readonly after?: string;
  readonly limit: number;
  readonly descending?: boolean;
}
/** The stored or pending value of a record; null: none. */
export interface KnownRecord {
  readonly row: RecordTableRow | null;
}

export const isLive = ({ expires }: Pick<RecordTableRow, 'expires'>, now: number): boolean =>
  expires === null || expires > now;

/** The order of SQLite. */
const compareIds = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));

/** A page of stored rows as it is with changes that are not stored yet; `stored` has as many rows more as there are changes. */
export function withChanges(
  stored: readonly RecordTableRow[],
  changes: Pick<WriteBehindCache<string, KnownRecord>, 'get' | 'entries'>,
  { now, after, limit, descending = false }: RecordListOptions,
): RecordTableRow[] {
  const sign = descending ? -1 : 1;
  const changed = [...changes.entries()].flatMap(([, { row }]) => {
    const isShown = row !== null && isLive(row, now) && (after === undefined || sign * compareIds(row.id, after) > 0);
    return isShown ? [row] : [];
  });
  return [...stored.filter(({ id }) => changes.get(id) === undefined), ...changed]
    .sort((a, b) => sign * compareIds(a.id, b.id))
    .slice(0, limit);
}
