/**
 * The rows of a list that is looked at. Shown rows keep their places: they change in place and stay when a new read lacks them; what is
 * new waits until it is taken in.
 */
export interface Calm<Row> {
  readonly rows: readonly Row[];
  /** Ids of rows that the last read did not have any more. */
  readonly left: ReadonlySet<string>;
  /** Rows that wait, in their order. */
  readonly waiting: readonly Row[];
}

/** With one row as something beside the list has read it since; it keeps its place. */
export const withNewer = <Row>(
  rows: readonly Row[],
  newer: Row | undefined,
  idOf: (row: Row) => string,
): readonly Row[] => (newer === undefined ? rows : rows.map((row) => (idOf(row) === idOf(newer) ? newer : row)));

/** `isHeld`: pointer, focus or selection are on the list. Otherwise the new read is shown as it is. */
export function calmed<Row>(
  shown: readonly Row[],
  read: readonly Row[],
  idOf: (row: Row) => string,
  isHeld: boolean,
): Calm<Row> {
  if (!isHeld || shown.length === 0) return { rows: read, left: new Set(), waiting: [] };
  const fresh = new Map(read.map((row) => [idOf(row), row]));
  const known = new Set(shown.map(idOf));
  return {
    rows: shown.map((row) => fresh.get(idOf(row)) ?? row),
    left: new Set([...known].filter((id) => !fresh.has(id))),
    waiting: read.filter((row) => !known.has(idOf(row))),
  };
}
