import type { QueryClient } from '@tanstack/react-query';
import type { GroupDetailData, GroupRow, GroupsPage } from '#console/api/groups.ts';

export const GROUPS = ['groups'] as const;
/** Counts of groups are stored under the same key. */
type Cached = GroupsPage | { readonly pages: readonly GroupsPage[] } | GroupDetailData | number | undefined;

const changedIn = (cached: Cached, change: (group: GroupRow) => GroupRow): Cached => {
  if (typeof cached !== 'object') return cached;
  if ('pages' in cached) return { ...cached, pages: cached.pages.map((page) => changedIn(page, change) as GroupsPage) };
  if ('groups' in cached) return { ...cached, groups: cached.groups.map(change) };
  return 'correlationId' in cached ? ({ ...cached, ...change(cached) } as GroupDetailData) : cached;
};

/** Shows a change wherever the page has read the group, before the server knows of it. */
export const showGroups = (queries: QueryClient, change: (group: GroupRow) => GroupRow): void => {
  queries.setQueriesData<Cached>({ queryKey: GROUPS }, (cached) => changedIn(cached, change));
};
