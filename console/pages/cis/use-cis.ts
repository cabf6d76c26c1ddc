import { keepPreviousData, useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type CiRow, listCis, readTypes } from '#console/api/cmdb/cmdb.ts';
import { useStates } from '#console/cis/use-states.ts';
import { pagesOf, placed } from '#console/grid/pages.ts';
import { useAppServices } from '#console/hooks/app-services.ts';
import type { AddressSearch } from '#console/hooks/use-address.ts';
import { useLive } from '#console/hooks/use-live.ts';
import { useRead } from '#console/hooks/use-read.ts';
import { askedCis } from './ci-filters.ts';

const PAGE = 100;
/** Maximum reached by page numbers. */
const MAX_ROWS = 10_000;

const idOf = ({ _id }: CiRow): string => _id;

export const useTypes = () => {
  return useRead(['cis', 'types'], (call, signal) => readTypes(call, signal));
};

/** The CIs that the address asks for, page by page as they are seen, with the worst open event of each. */
export const useCis = (query: AddressSearch, isHeld: boolean) => {
  const { call } = useAppServices();
  const queries = useQueryClient();
  const [seen, setSeen] = useState({ first: 0, last: 0 });
  const [isOld, setOld] = useState(false);
  const asked = { ...askedCis(query), sort: query.sort ?? 'name', order: query.order ?? 'asc' };
  const key = ['cis', 'list', asked] as const;
  const readPage = (page: number) => ({
    queryKey: [...key, page],
    queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
      listCis(call, { ...asked, limit: PAGE, page: page + 1 }, signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const first = useQuery({ ...readPage(0), placeholderData: keepPreviousData });
  const total = first.data?.pagination.total ?? 0;
  const count = Math.min(total, MAX_ROWS);
  const wanted = pagesOf(seen.first, seen.last, PAGE, count).filter((page) => page > 0);
  const further = useQueries({ queries: wanted.map(readPage) });
  const pages = new Map<number, readonly CiRow[]>([[0, first.data?.data ?? []]]);
  for (const [at, page] of wanted.entries()) {
    const data = further[at]?.data;
    if (data !== undefined) pages.set(page, data.data);
  }
  const rows = placed(pages, PAGE);
  const order = [...rows.values()].map(idOf);

  const readAnew = async (): Promise<void> => {
    setOld(false);
    await queries.invalidateQueries({ queryKey: ['cis'] });
  };
  // Rows change their places by a change of a name: not under a hand.
  useLive(['topology'], () => (isHeld ? setOld(true) : readAnew()), undefined, 2_000);

  return {
    first,
    total,
    count,
    order,
    rowAt: (index: number) => rows.get(index),
    states: useStates(order),
    isOld,
    readAnew,
    onSeen: (from: number, to: number) => {
      const [firstOf, lastOf] = [from - (from % PAGE), to - (to % PAGE)];
      if (firstOf !== seen.first || lastOf !== seen.last) setSeen({ first: firstOf, last: lastOf });
    },
  };
};
