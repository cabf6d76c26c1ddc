import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { listCis } from '#console/api/cmdb/cmdb.ts';
import { useAppServices } from '#console/hooks/app-services.ts';
import { useMay } from '#console/hooks/use-me.ts';

/** The CIs that the address names, by their ids; at most 100. */
export const useNamed = (ids: readonly string[]) => {
  const { call } = useAppServices();
  const may = useMay('cmdb.read');
  return useQuery({
    queryKey: ['cis', 'named', ids],
    queryFn: async ({ signal }) => (await listCis(call, { ids, limit: 100 }, signal)).data,
    enabled: may && ids.length > 0,
    placeholderData: keepPreviousData,
  });
};
