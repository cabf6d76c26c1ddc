import type { UseQueryResult } from '@tanstack/react-query';
import type { GroupsPage } from '#console/api/groups.ts';
import { GroupRows } from '#console/cis/group-rows.tsx';
import { Nothing } from '#console/cis/panels.tsx';
import { Region } from '#console/states/region.tsx';
import { Skeleton } from '#console/states/skeleton.tsx';

/** Faults that hit the service now. */
export function OpenGroups({ groups }: { readonly groups: UseQueryResult<GroupsPage> }) {
  return (
    <Region query={groups} what="Its groups" skeleton={<Skeleton rows={2} height={40} />}>
      {({ groups: found }) =>
        found.length === 0 ? (
          <Nothing>No open or acknowledged group names it. What is wrong with its components stands below.</Nothing>
        ) : (
          <GroupRows groups={found} withStatus />
        )
      }
    </Region>
  );
}
