import type { UseQueryResult } from '@tanstack/react-query';
import { type GroupsPage, listGroups } from '#console/api/groups.ts';
import { useMay } from '#console/hooks/use-me.ts';
import { useRead } from '#console/hooks/use-read.ts';

const MAX_GROUPS = 100;

/** Rows of the page of groups, active and acknowledged; `groupsOf` chooses those of a service, as the filter of the list knows only services named by events. */
export const useOpenGroups = (): UseQueryResult<GroupsPage> => {
  return useRead(
    ['groups', 'of-services'],
    (call, signal) =>
      listGroups(call, { status: 'active,acknowledged', include: 'single', view: 'row', limit: MAX_GROUPS }, signal),
    { enabled: useMay('events.read') },
  );
};
