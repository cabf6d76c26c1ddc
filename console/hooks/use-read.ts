import { type QueryKey, type UseQueryOptions, type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { Call } from '#console/api/link/call.ts';
import { useAppServices } from './app-services.ts';

/** Data of the server under a key, read again when the key changes or is invalidated. */
export const useRead = <Data, Shown = Data>(
  queryKey: QueryKey,
  read: (call: Call, signal: AbortSignal) => Promise<Data>,
  options: Omit<UseQueryOptions<Data, Error, Shown>, 'queryKey' | 'queryFn'> = {},
): UseQueryResult<Shown> => {
  const { call } = useAppServices();
  return useQuery({ ...options, queryKey, queryFn: ({ signal }) => read(call, signal) });
};
