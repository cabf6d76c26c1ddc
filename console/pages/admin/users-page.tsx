import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useAttempt } from '#console/actions/use-attempt.ts';
import { useDone } from '#console/actions/use-done.ts';
import { changeUser, listUsers, removeUser, type UserAccount } from '#console/api/admin/admin.ts';
import { listTeams } from '#console/api/admin/teams.ts';
import { RowButton } from '#console/data/row-button.tsx';
import type { SimpleColumn } from '#console/data/simple-table.tsx';
import { When } from '#console/facts/when.tsx';
import { ConfirmDialog } from '#console/forms/confirm-dialog.tsx';
import { useParts } from '#console/hooks/parts.ts';
import { useMe } from '#console/hooks/use-me.ts';
import { usePages } from '#console/hooks/use-pages.ts';
import { Notice } from '#console/states/notice.tsx';
import { names } from '#console/words/counts.ts';
import { AdminPage } from './admin-page.tsx';
import { AdminList } from './parts/admin-list.tsx';
import { NameCell } from './parts/name-cell.tsx';
import { TEAMS, USERS } from './parts/use-users.ts';
import { ChangeUserDialog, NewUserDialog } from './user-dialogs.tsx';

const COLUMNS: readonly SimpleColumn<UserAccount>[] = [
  {
    title: 'User',
    isName: true,
    cell: ({ name, username }) => <NameCell name={name} {...(name !== username && { note: username })} />,
  },
  { title: 'Role', cell: ({ role }) => role },
  { title: 'May sign in', cell: ({ disabled }) => (disabled ? 'no' : 'yes') },
  { title: 'Since', cell: ({ created_at: at }) => <When at={at} /> },
];

/** Names of the teams of each user. */
const useTeamsOf = (): ((user: string) => string) => {
  const { call } = useParts();
  const { data } = useQuery({ queryKey: TEAMS, queryFn: ({ signal }) => listTeams(call, undefined, signal) });
  return (user) => {
    const own = (data?.data ?? []).filter(({ members }) => members.includes(user));
    return own.length === 0 ? '–' : names(own.map(({ name }) => name));
  };
};

/** Users and their roles. */
export function UsersPage() {
  const { call } = useParts();
  const me = useMe();
  const attempt = useAttempt(USERS);
  const done = useDone(USERS);
  const teamsOf = useTeamsOf();
  const [isNew, setNew] = useState(false);
  const [edited, setEdited] = useState<UserAccount | null>(null);
  const [leaving, setLeaving] = useState<UserAccount | null>(null);
  const list = usePages([...USERS, 'list'], (cursor, signal) => listUsers(call, cursor, signal));
  const allow = ({ id, name, disabled }: UserAccount): Promise<void> =>
    attempt(() => changeUser(call, id, { disabled: !disabled }), {
      done: disabled ? `${name} may sign in again` : `${name} is signed out everywhere`,
      failed: `${name} could not be changed`,
    });
  return (
    <AdminPage
      title="Users"
      lead="Who may sign in, and as what. Nobody gives a role above their own."
      actions={<Button onClick={() => setNew(true)}>Add a user</Button>}
    >
      <AdminList
        title="Users of this tenant"
        what="The users"
        list={list}
        idOf={({ id }) => id}
        isDim={({ disabled }) => disabled}
        columns={[...COLUMNS.slice(0, 2), { title: 'Teams', cell: ({ id }) => teamsOf(id) }, ...COLUMNS.slice(2)]}
        empty={
          <Notice title="This tenant has no user yet">Add the first one: an admin, who can add the others.</Notice>
        }
        actions={(user) => (
          <>
            <RowButton words="Change" of={user.name} isMain onClick={() => setEdited(user)} />
            {user.id === me.user._id ? null : (
              <>
                <RowButton words={user.disabled ? 'Enable' : 'Disable'} of={user.name} onClick={() => allow(user)} />
                <RowButton words="Remove" of={user.name} onClick={() => setLeaving(user)} />
              </>
            )}
          </>
        )}
      />
      {isNew ? <NewUserDialog onClose={() => setNew(false)} /> : null}
      {edited === null ? null : <ChangeUserDialog user={edited} onClose={() => setEdited(null)} />}
      {leaving === null ? null : (
        <ConfirmDialog
          opened
          title={`Remove ${leaving.name}`}
          action="Remove"
          onClose={() => setLeaving(null)}
          act={() => done(() => removeUser(call, leaving.id), `${leaving.name} is removed`)}
        >
          What this person did keeps the name. It cannot be taken back; disabling can.
        </ConfirmDialog>
      )}
    </AdminPage>
  );
}
