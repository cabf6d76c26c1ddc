import { Button, MultiSelect, Textarea } from '@mantine/core';
import { useState } from 'react';
import { useDone } from '#console/actions/use-done.ts';
import type { UserAccount } from '#console/api/admin/admin.ts';
import { changeTeam, listTeams, makeTeam, removeTeam, type TeamData } from '#console/api/admin/teams.ts';
import { RowButton } from '#console/data/row-button.tsx';
import { timeColumn } from '#console/data/simple-table.tsx';
import { ConfirmDialog } from '#console/forms/confirm-dialog.tsx';
import type { FormChange } from '#console/forms/form-change.ts';
import { FormDialog } from '#console/forms/form-dialog.tsx';
import { problemOf } from '#console/forms/form-text.ts';
import { useAppServices } from '#console/hooks/app-services.ts';
import { usePages } from '#console/hooks/use-pages.ts';
import { Notice } from '#console/states/notice.tsx';
import { names } from '#console/text/counts.ts';
import * as nouns from '#console/text/nouns/texts.ts';
import { AdminPage } from './admin-page.tsx';
import { AdminList } from './parts/admin-list.tsx';
import { NameCell } from './parts/name-cell.tsx';
import { NameField } from './parts/name-fields.tsx';
import { TEAMS, useUsers } from './parts/use-users.ts';
import * as text from './texts.ts';

const labelOf = (users: readonly UserAccount[], id: string): string =>
  users.find((user) => user.id === id)?.name ?? text.unlistedUser;

interface TeamForm {
  readonly name: string;
  readonly description: string;
  readonly members: readonly string[];
}

interface DialogProps {
  /** Null: a new one. */
  readonly team: TeamData | null;
  readonly users: readonly UserAccount[];
  readonly onClose: () => void;
}

const changesOf = (team: TeamData, wish: TeamForm, users: readonly UserAccount[]): FormChange[] => {
  const people = (ids: readonly string[]): string => ids.map((id) => labelOf(users, id)).join(', ') || '(none)';
  const all = [
    { field: text.name, before: team.name, after: wish.name },
    { field: text.description, before: team.description, after: wish.description },
    { field: text.members, before: people(team.members), after: people(wish.members) },
  ];
  return all.filter(({ before, after }) => before !== after);
};

/** Untouched fields are not sent: another person may have changed them meanwhile. */
const touched = (team: TeamData, { name, description, members }: TeamForm) => ({
  ...(name !== team.name && { name }),
  ...(description !== team.description && { description }),
  ...(members.join() !== team.members.join() && { members: [...members] }),
});

/** Creates a team, or changes one after a review of the changes. */
function TeamDialog({ team, users, onClose }: DialogProps) {
  const { call } = useAppServices();
  const done = useDone(TEAMS);
  const [members, setMembers] = useState<string[]>([...(team?.members ?? [])]);
  const known = new Set(users.map(({ id }) => id));
  const [words, setWords] = useState({ name: team?.name ?? '', description: team?.description ?? '' });
  const wish = { ...words, members };
  const send = (): Promise<void> =>
    team === null
      ? done(() => makeTeam(call, wish), text.createdTeam(wish.name))
      : done(() => changeTeam(call, team.id, touched(team, wish)), text.saved(wish.name));
  return (
    <FormDialog
      opened
      title={team === null ? text.createTeam : text.edit(team.name)}
      action={team === null ? text.create : text.save}
      {...(team !== null && { changes: changesOf(team, wish, users) })}
      onClose={onClose}
      send={send}
    >
      {(problems) => (
        <>
          <NameField
            value={team?.name}
            error={problems.name}
            leads
            onName={(name) => setWords((before) => ({ ...before, name }))}
          />
          <Textarea
            name="description"
            label={text.description}
            autosize
            minRows={2}
            maxRows={5}
            maxLength={1_024}
            defaultValue={team?.description}
            onChange={({ currentTarget: { value } }) =>
              setWords((before) => ({ ...before, description: value.trim() }))
            }
            error={problems.description}
          />
          <MultiSelect
            label={text.members}
            size="xs"
            searchable
            clearable
            nothingFoundMessage={text.noMatchingUser}
            data={[
              ...users.map(({ id, name }) => ({ value: id, label: name })),
              ...members.filter((id) => !known.has(id)).map((id) => ({ value: id, label: labelOf(users, id) })),
            ]}
            value={members}
            onChange={setMembers}
            error={problemOf(problems, 'members')}
          />
        </>
      )}
    </FormDialog>
  );
}

const MAX_NAMES = 4;

/** Users who share work. */
export function TeamsPage() {
  const { call } = useAppServices();
  const done = useDone(TEAMS);
  const { data: users = [] } = useUsers();
  const [edited, setEdited] = useState<TeamData | 'new' | null>(null);
  const [leaving, setLeaving] = useState<TeamData | null>(null);
  const list = usePages([...TEAMS, 'list'], (cursor, signal) => listTeams(call, cursor, signal));
  return (
    <AdminPage
      title={text.teams}
      lead={text.teamsLead}
      actions={<Button onClick={() => setEdited('new')}>{text.createTeam}</Button>}
    >
      <AdminList
        title={text.teams}
        what={nouns.teams}
        list={list}
        idOf={({ id }) => id}
        columns={[
          {
            title: text.team,
            isName: true,
            cell: ({ name, description }) => <NameCell name={name} note={description} />,
            value: ({ name }) => name,
          },
          {
            title: text.members,
            cell: ({ members }) =>
              members.length === 0
                ? text.noMembers
                : names(
                    members.slice(0, MAX_NAMES).map((id) => labelOf(users, id)),
                    members.length,
                    MAX_NAMES,
                  ),
            value: ({ members }) => members.map((id) => labelOf(users, id)).join('; '),
          },
          timeColumn<TeamData>(text.updated, ({ updated_at: at }) => at),
        ]}
        empty={<Notice title={text.noTeamsYet}>{text.noTeamsYetHint}</Notice>}
        actions={(team) => (
          <>
            <RowButton words={text.editLabel} of={team.name} isMain onClick={() => setEdited(team)} />
            <RowButton words={text.deleteLabel} of={team.name} onClick={() => setLeaving(team)} />
          </>
        )}
      />
      {edited === null ? null : (
        <TeamDialog team={edited === 'new' ? null : edited} users={users} onClose={() => setEdited(null)} />
      )}
      {leaving === null ? null : (
        <ConfirmDialog
          opened
          title={text.deleteOf(leaving.name)}
          action={text.deleteLabel}
          onClose={() => setLeaving(null)}
          act={() => done(() => removeTeam(call, leaving.id), text.deleted(leaving.name))}
        >
          {text.deleteTeamsWarning}
        </ConfirmDialog>
      )}
    </AdminPage>
  );
}
