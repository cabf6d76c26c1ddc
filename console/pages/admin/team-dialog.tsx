import { MultiSelect, Textarea } from '@mantine/core';
import { useState } from 'react';
import { useDone } from '#console/actions/use-done.ts';
import type { UserAccount } from '#console/api/admin/admin.ts';
import { changeTeam, makeTeam, type TeamShown } from '#console/api/admin/teams.ts';
import type { FormChange } from '#console/forms/form-change.ts';
import { FormDialog } from '#console/forms/form-dialog.tsx';
import { problemOf } from '#console/forms/form-text.ts';
import { useParts } from '#console/hooks/parts.ts';
import { NameField } from './parts/name-fields.tsx';
import { TEAMS } from './parts/use-users.ts';

export const labelOf = (users: readonly UserAccount[], id: string): string =>
  users.find((user) => user.id === id)?.name ?? 'somebody who is not in the list';

interface Wish {
  readonly name: string;
  readonly description: string;
  readonly members: readonly string[];
}

interface DialogProps {
  /** Null: a new one. */
  readonly team: TeamShown | null;
  readonly users: readonly UserAccount[];
  readonly onClose: () => void;
}

const changesOf = (team: TeamShown, wish: Wish, users: readonly UserAccount[]): FormChange[] => {
  const people = (ids: readonly string[]): string => ids.map((id) => labelOf(users, id)).join(', ') || 'nobody';
  const all = [
    { field: 'Name', before: team.name, after: wish.name },
    { field: 'What it takes care of', before: team.description, after: wish.description },
    { field: 'Members', before: people(team.members), after: people(wish.members) },
  ];
  return all.filter(({ before, after }) => before !== after);
};

/** Untouched fields are not sent: another person may have changed them meanwhile. */
const touched = (team: TeamShown, { name, description, members }: Wish) => ({
  ...(name !== team.name && { name }),
  ...(description !== team.description && { description }),
  ...(members.join() !== team.members.join() && { members: [...members] }),
});

/** Makes a team, or changes one after a look at what would be otherwise. */
export function TeamDialog({ team, users, onClose }: DialogProps) {
  const { call } = useParts();
  const done = useDone(TEAMS);
  const [members, setMembers] = useState<string[]>([...(team?.members ?? [])]);
  const known = new Set(users.map(({ id }) => id));
  const [words, setWords] = useState({ name: team?.name ?? '', description: team?.description ?? '' });
  const wish = { ...words, members };
  const send = (): Promise<void> =>
    team === null
      ? done(() => makeTeam(call, wish), `${wish.name} can be given groups and events now`)
      : done(() => changeTeam(call, team.id, touched(team, wish)), `${wish.name} is changed`);
  return (
    <FormDialog
      opened
      title={team === null ? 'Make a team' : `Change ${team.name}`}
      action={team === null ? 'Make it' : 'Save'}
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
            label="What it takes care of"
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
            label="Members"
            size="xs"
            searchable
            clearable
            nothingFoundMessage="No such user"
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
