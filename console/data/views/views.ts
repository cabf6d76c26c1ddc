import type { View } from '#console/api/views.ts';
import type { AddressSearch } from '#console/hooks/use-address.ts';

/** Parts of the address that views ignore. */
const APART: ReadonlySet<string> = new Set(['view', 'columns', 'event']);

/** The part of an address that a view stores; equal lists are equal texts. */
export const queryOf = (search: AddressSearch): string =>
  new URLSearchParams(
    Object.entries(search)
      .filter(([name, value]) => !APART.has(name) && value !== '')
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  ).toString();

/** The address that shows a view. */
export const searchOf = ({ id, query, columns }: Pick<View, 'id' | 'query' | 'columns'>): AddressSearch => ({
  ...Object.fromEntries(new URLSearchParams(query)),
  view: id,
  ...(columns.length > 0 && { columns: columns.join(',') }),
});

/** Returns the change from one address to another: parts missing in the other are removed. */
export const leadingTo = (now: AddressSearch, then: AddressSearch): Record<string, string | null> => ({
  ...Object.fromEntries(Object.keys(now).map((name) => [name, null])),
  ...then,
});

/** True if the list differs from the selected view. */
export const isChanged = (view: View, search: AddressSearch, columns: readonly string[]): boolean =>
  queryOf(search) !== queryOf(Object.fromEntries(new URLSearchParams(view.query))) ||
  (view.columns.length > 0 && view.columns.join() !== columns.join());
