import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';

export type AddressSearch = Readonly<Record<string, string>>;

export interface Address {
  /** The query of the address: filters, order and open parts, so that a link shows the same. */
  readonly query: AddressSearch;
  /** `null` removes a part. `replace`: without a step for the back button. */
  readonly change: (change: Readonly<Record<string, string | null>>, how?: { readonly replace?: boolean }) => void;
}

const asItIs = (query: AddressSearch): AddressSearch => query;

/** `read`: the query in the names of the page, where an address may have others; the same function at each drawing. */
export const useAddress = (read: (query: AddressSearch) => AddressSearch = asItIs): Address => {
  const given = useSearch({ strict: false }) as AddressSearch;
  const query = useMemo(() => read(given), [read, given]);
  const navigate = useNavigate();
  const change = useCallback<Address['change']>(
    (parts, { replace = false } = {}) => {
      const next = (before: AddressSearch): AddressSearch =>
        Object.fromEntries(
          Object.entries({ ...read(before), ...parts }).filter(
            (pair): pair is [string, string] => pair[1] !== null && pair[1] !== '',
          ),
        );
      void navigate({ to: '.', search: next as never, replace });
    },
    [navigate, read],
  );
  return useMemo(() => ({ query, change }), [query, change]);
};
