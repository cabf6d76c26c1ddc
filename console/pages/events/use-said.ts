import { useQuery } from '@tanstack/react-query';
import { GROUPS } from '#console/actions/groups-cache.ts';
import { readGroup } from '#console/api/groups.ts';
import { useNamed } from '#console/cis/use-named.ts';
import { useParts } from '#console/hooks/parts.ts';
import { count, names } from '#console/words/counts.ts';

/** The CIs and the group that a link has set as filters, by name. */
export const useSaid = ({ ciId, correlationId }: Readonly<Record<string, string>>) => {
  const { call } = useParts();
  const cis = (ciId ?? '').split(',').filter((id) => id !== '');
  const named = useNamed(cis);
  const group = useQuery({
    queryKey: [...GROUPS, 'detail', correlationId],
    queryFn: ({ signal }) => readGroup(call, correlationId ?? '', signal),
    enabled: correlationId !== undefined,
  });
  const known = (named.data ?? []).map(({ name }) => name);
  return {
    ciId: known.length === 0 ? count(cis.length, 'CI') : names(known, cis.length),
    correlationId: group.data?.title ?? undefined,
  };
};
