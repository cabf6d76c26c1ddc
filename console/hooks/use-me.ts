import { keepPreviousData, type QueryClient, queryOptions, useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { isProblem } from '#console/api/link/problem.ts';
import { type Me, readMe } from '#console/api/me.ts';
import type { Permission } from '#domain/access/permissions.ts';
import { type AppServices, useAppServices } from './app-services.ts';

const ME = ['me'] as const;

/** A tab remembers its selected tenant, which may have been deleted since: then it returns to its own one. */
const readAgain = async (parts: AppServices, client: QueryClient, signal: AbortSignal): Promise<Me> => {
  const { call, tenant } = parts;
  try {
    return await readMe(call, signal);
  } catch (error) {
    if (!isProblem(error, 403) || tenant.get() === null) throw error;
    tenant.lose();
    void client.resetQueries({ predicate: ({ queryKey }) => queryKey[0] !== ME[0] });
    return readMe(call, signal);
  }
};

const meOf = (parts: AppServices) =>
  queryOptions({ queryKey: ME, queryFn: ({ signal, client }) => readAgain(parts, client, signal), staleTime: 60_000 });

/** The user of the console; the frame has read it before any page is drawn. */
export const useMe = (): Me => useSuspenseQuery(meOf(useAppServices())).data;

/**
 * True if the user was read once. React shows content waiting behind a fallback of its own only 300 ms after it, so
 * that the first read of each load does not wait in one.
 */
export const useIsKnown = (): boolean => {
  const me = useQuery({
    ...meOf(useAppServices()),
    placeholderData: keepPreviousData,
    throwOnError: (_, { state }) => state.data === undefined,
  });
  return me.data !== undefined;
};

export const useMay = (permission: Permission): boolean => useMe().permissions.includes(permission);
