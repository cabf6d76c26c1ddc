import { keepPreviousData } from '@tanstack/react-query';
import { listCis } from '#console/api/cmdb/cmdb.ts';
import { useMay } from '#console/hooks/use-me.ts';
import { useRead } from '#console/hooks/use-read.ts';

/** The CIs that the address names, by their ids; at most 100. */
export const useNamed = (ids: readonly string[]) => {
  const may = useMay('cmdb.read');
  return useRead(
    ['cis', 'named', ids],
    async (call, signal) => (await listCis(call, { ids, limit: 100 }, signal)).data,
    { enabled: may && ids.length > 0, placeholderData: keepPreviousData },
  );
};
