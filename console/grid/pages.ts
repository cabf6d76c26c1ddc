/** Returns the pages of a long list with the visible rows, and the position of a row in them. */
export const pagesOf = (first: number, last: number, size: number, count: number): readonly number[] => {
  const lastRow = Math.min(last, count - 1);
  if (lastRow < first) return [];
  const [from, to] = [Math.floor(first / size), Math.floor(lastRow / size)];
  return Array.from({ length: to - from + 1 }, (_, offset) => from + offset);
};

/** The rows of the pages that are loaded, at their places among `count`. */
export const placed = <Row>(pages: ReadonlyMap<number, readonly Row[]>, size: number): Map<number, Row> => {
  const rows = new Map<number, Row>();
  for (const [page, found] of pages) for (const [at, row] of found.entries()) rows.set(page * size + at, row);
  return rows;
};
