import { useQuery } from '@tanstack/react-query';
import { listUsers, type UserAccount } from '#console/api/admin/admin.ts';
import { useAppServices } from '#console/hooks/app-services.ts';

export const USERS = ['users'] as const;
export const TEAMS = ['teams'] as const;
/** Requests for one list of names. */
const MAX_PAGES = 10;

/** The users of the tenant, the first thousand of them. */
export const useUsers = () => {
  const { call } = useAppServices();
  return useQuery({
    queryKey: [...USERS, 'all'],
    queryFn: async ({ signal }): Promise<readonly UserAccount[]> => {
      const users: UserAccount[] = [];
      let cursor: string | undefined;
      for (let page = 0; page < MAX_PAGES; page += 1) {
        const { data, pagination } = await listUsers(call, cursor, signal);
        users.push(...data);
        cursor = pagination.nextCursor ?? undefined;
        if (cursor === undefined) break;
      }
      return users;
    },
  });
};
