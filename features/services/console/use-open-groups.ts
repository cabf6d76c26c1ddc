import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { type GroupsPage, listGroups } from '#console/api/groups.ts';
import { useAppServices } from '#console/hooks/app-services.ts';
import { useMay } from '#console/hooks/use-me.ts';

const MAX_GROUPS = 100;

/** Active and acknowledged groups, of which `groupsOf` chooses those of a service: the filter of the list knows only services that events name. */
export const useOpenGroups = (): UseQueryResult<GroupsPage> => {
  const { call } = useAppServices();
  return useQuery({
    queryKey: ['groups', 'of-services'],
    queryFn: ({ signal }) =>
      listGroups(call, { status: 'active,acknowledged', view: 'row', limit: MAX_GROUPS }, signal),
    enabled: useMay('events.read'),
  });
};
