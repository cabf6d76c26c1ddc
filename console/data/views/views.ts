import type { View } from '#console/api/views.ts';

type Search = Readonly<Record<string, string>>;

/** Of the address: what a view is not about. */
const APART: ReadonlySet<string> = new Set(['view', 'columns', 'event']);

/** The part of an address that a view stores; equal lists are equal texts. */
export const queryOf = (search: Search): string =>
  new URLSearchParams(
    Object.entries(search)
      .filter(([name, value]) => !APART.has(name) && value !== '')
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  ).toString();

/** The address that shows a view. */
export const searchOf = ({ id, query, columns }: Pick<View, 'id' | 'query' | 'columns'>): Search => ({
  ...Object.fromEntries(new URLSearchParams(query)),
  view: id,
  ...(columns.length > 0 && { columns: columns.join(',') }),
});

/** From one address to another: what the other one has not is taken away. */
export const leadingTo = (now: Search, then: Search): Record<string, string | null> => ({
  ...Object.fromEntries(Object.keys(now).map((name) => [name, null])),
  ...then,
});

/** Whether the list shows something else than the view that was chosen. */
export const isChanged = (view: View, search: Search, columns: readonly string[]): boolean =>
  queryOf(search) !== queryOf(Object.fromEntries(new URLSearchParams(view.query))) ||
  (view.columns.length > 0 && view.columns.join() !== columns.join());
