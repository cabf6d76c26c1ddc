import { listUsers, type UserAccount } from '#console/api/admin/admin.ts';
import { useRead } from '#console/hooks/use-read.ts';

export const USERS = ['users'] as const;
export const TEAMS = ['teams'] as const;
/** Requests for one list of names. */
const MAX_PAGES = 10;

/** The users of the tenant, the first thousand of them. */
export const useUsers = () => {
  return useRead([...USERS, 'all'], async (call, signal): Promise<readonly UserAccount[]> => {
    const users: UserAccount[] = [];
    let cursor: string | undefined;
    for (let page = 0; page < MAX_PAGES; page += 1) {
      const { data, pagination } = await listUsers(call, cursor, signal);
      users.push(...data);
      cursor = pagination.nextCursor ?? undefined;
      if (cursor === undefined) break;
    }
    return users;
  });
};
