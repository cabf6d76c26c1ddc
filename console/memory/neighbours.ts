/** Position of a page in the list from which it was opened. */
export interface Beside {
  readonly before: string | null;
  readonly after: string | null;
  /** `3 of 12`: counted from 1; null when the list did not have it. */
  readonly at: number | null;
  readonly of: number;
}

/** `names`: all ids by which the list may know it. */
export const besideOf = (names: readonly string[], order: readonly string[]): Beside => {
  const at = order.findIndex((id) => names.includes(id));
  if (at < 0) return { before: null, after: null, at: null, of: order.length };
  return { before: order[at - 1] ?? null, after: order[at + 1] ?? null, at: at + 1, of: order.length };
};

type ListQuery = Readonly<Record<string, string>>;

/** The most recent list, so that the page of one group links to the next, and back to the search. */
export interface Neighbours {
  readonly remember: (order: readonly string[], query: ListQuery) => void;
  readonly of: (names: readonly string[]) => Beside;
  /** The query of the list, when it has this one. */
  readonly listOf: (names: readonly string[]) => ListQuery;
}

export const openNeighbours = (): Neighbours => {
  let order: readonly string[] = [];
  let query: ListQuery = {};
  return {
    remember(ids, asked) {
      [order, query] = [ids, asked];
    },
    of: (names) => besideOf(names, order),
    listOf: (names) => (names.some((id) => order.includes(id)) ? query : {}),
  };
};
