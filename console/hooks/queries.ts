import { QueryClient } from '@tanstack/react-query';
import { isProblem } from '#console/api/link/problem.ts';

const MAX_RETRIES = 2;
/** Errors of the connection, not of the request. */
const PASSING = [0, 502, 504] as const;

/** Read data stays until the live stream reports a change. */
export const openQueries = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 30_000,
        gcTime: 5 * 60_000,
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
        networkMode: 'always',
        retry: (failures, error) => failures < MAX_RETRIES && isProblem(error, ...PASSING),
        retryDelay: (attempt) => 400 * 2 ** attempt,
      },
      mutations: { networkMode: 'always', retry: false },
    },
  });
