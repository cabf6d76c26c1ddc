import { Button } from '@mantine/core';
import { useState } from 'react';
import { useDone } from '#console/actions/use-done.ts';
import { listTeams, removeTeam, type TeamShown } from '#console/api/admin/teams.ts';
import { RowButton } from '#console/data/row-button.tsx';
import { When } from '#console/facts/when.tsx';
import { ConfirmDialog } from '#console/forms/confirm-dialog.tsx';
import { useParts } from '#console/hooks/parts.ts';
import { usePages } from '#console/hooks/use-pages.ts';
import { Notice } from '#console/states/notice.tsx';
import { names } from '#console/words/counts.ts';
import { AdminPage } from './admin-page.tsx';
import { AdminList } from './parts/admin-list.tsx';
import { NameCell } from './parts/name-cell.tsx';
import { TEAMS, useUsers } from './parts/use-users.ts';
import { labelOf, TeamDialog } from './team-dialog.tsx';

const MOST_NAMES = 4;

/** Users who share work. */
export function TeamsPage() {
  const { call } = useParts();
  const done = useDone(TEAMS);
  const { data: users = [] } = useUsers();
  const [edited, setEdited] = useState<TeamShown | 'new' | null>(null);
  const [leaving, setLeaving] = useState<TeamShown | null>(null);
  const list = usePages([...TEAMS, 'list'], (cursor, signal) => listTeams(call, cursor, signal));
  return (
    <AdminPage
      title="Teams"
      lead="People who share work: a group of events is given to them as one."
      actions={<Button onClick={() => setEdited('new')}>Make a team</Button>}
    >
      <AdminList
        title="Teams of this tenant"
        what="The teams"
        list={list}
        idOf={({ id }) => id}
        columns={[
          {
            title: 'Team',
            isName: true,
            cell: ({ name, description }) => <NameCell name={name} note={description} />,
          },
          {
            title: 'Members',
            cell: ({ members }) =>
              members.length === 0
                ? 'nobody yet'
                : names(
                    members.slice(0, MOST_NAMES).map((id) => labelOf(users, id)),
                    members.length,
                    MOST_NAMES,
                  ),
          },
          { title: 'Changed', cell: ({ updated_at: at }) => <When at={at} /> },
        ]}
        empty={
          <Notice title="There is no team yet">
            Make one for those who share a shift or a system. On the page of a group it can be given the group.
          </Notice>
        }
        actions={(team) => (
          <>
            <RowButton words="Change" of={team.name} isMain onClick={() => setEdited(team)} />
            <RowButton words="Delete" of={team.name} onClick={() => setLeaving(team)} />
          </>
        )}
      />
      {edited === null ? null : (
        <TeamDialog team={edited === 'new' ? null : edited} users={users} onClose={() => setEdited(null)} />
      )}
      {leaving === null ? null : (
        <ConfirmDialog
          opened
          title={`Delete ${leaving.name}`}
          action="Delete"
          onClose={() => setLeaving(null)}
          act={() => done(() => removeTeam(call, leaving.id), `${leaving.name} is deleted`)}
        >
          Its members stay users. What was given to the team keeps its name.
        </ConfirmDialog>
      )}
    </AdminPage>
  );
}
