import { QueryClient } from '@tanstack/react-query';
import { isProblem } from '#console/api/link/problem.ts';

const MOST_RETRIES = 2;
/** Faults of the way, not of the question. */
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
        retry: (failures, error) => failures < MOST_RETRIES && isProblem(error, ...PASSING),
        retryDelay: (attempt) => 400 * 2 ** attempt,
      },
      mutations: { networkMode: 'always', retry: false },
    },
  });
