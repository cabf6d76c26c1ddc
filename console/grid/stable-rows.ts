/**
 * The rows of a visible list. Shown rows retain their places: they change in place and stay when a new read lacks them;
 * new ones wait until they are inserted.
 */
export interface StableRows<Row> {
  readonly rows: readonly Row[];
  /** Ids of rows that the last read did not have any more. */
  readonly left: ReadonlySet<string>;
  /** Rows that wait, in their order. */
  readonly waiting: readonly Row[];
}

/** Returns the list with a row as read later elsewhere; it retains its place. */
export const withNewer = <Row>(
  rows: readonly Row[],
  newer: Row | undefined,
  idOf: (row: Row) => string,
): readonly Row[] => (newer === undefined ? rows : rows.map((row) => (idOf(row) === idOf(newer) ? newer : row)));

/** `isHeld`: pointer, focus or selection are on the list. Otherwise the new read is shown as it is. */
export function stabilized<Row>(
  shown: readonly Row[],
  read: readonly Row[],
  idOf: (row: Row) => string,
  isHeld: boolean,
): StableRows<Row> {
  if (!isHeld || shown.length === 0) return { rows: read, left: new Set(), waiting: [] };
  const fresh = new Map(read.map((row) => [idOf(row), row]));
  const known = new Set(shown.map(idOf));
  return {
    rows: shown.map((row) => fresh.get(idOf(row)) ?? row),
    left: new Set([...known].filter((id) => !fresh.has(id))),
    waiting: read.filter((row) => !known.has(idOf(row))),
  };
}
