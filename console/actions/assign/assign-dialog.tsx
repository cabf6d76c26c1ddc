import { Modal, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type KeyboardEvent, useId, useState } from 'react';
import { type Assignee, type AssigneesData, findAssignees } from '#console/api/assignees.ts';
import { useMay, useMe } from '#console/hooks/use-me.ts';
import { useRead } from '#console/hooks/use-read.ts';
import { Region } from '#console/states/region.tsx';
import classes from './assign-dialog.module.css';
import * as text from './texts.ts';

interface Props {
  /** The target, as in "Assign 3 groups". Null: closed. */
  readonly what: string | null;
  readonly onClose: () => void;
  readonly assign: (to: Assignee) => unknown;
}

const TYPING_MS = 200;

interface Option {
  readonly id: string;
  readonly words: string;
  readonly note: string;
  readonly to: Assignee;
}

/** The caller is first, even if the tenant is another one. */
const optionsOf = (
  { users, teams }: AssigneesData,
  me: AssigneesData['users'][number],
  isNarrowed: boolean,
): Option[] => [
  ...(isNarrowed ? [] : [{ id: me._id, words: me.name, note: text.you, to: { user: me } }]),
  ...users
    .filter(({ _id }) => isNarrowed || _id !== me._id)
    .map((user) => ({ id: user._id, words: user.name, note: user.username, to: { user } })),
  ...teams.map((team) => ({ id: team._id, words: team.name, note: text.team, to: { team } })),
  ...(isNarrowed ? [] : [{ id: 'nobody', words: text.unassigned, note: text.removeAssignee, to: null }]),
];

/** Hint beside an empty list of assignees. */
function WhereAdded() {
  const may = useMay('users.manage');
  return (
    <p className={classes.note}>
      {may ? (
        <>
          {text.addUsersTeams} <Link to="/admin/users">{text.users}</Link> {text.and}{' '}
          <Link to="/admin/teams">{text.teams}</Link>.
        </>
      ) : (
        text.askAdministratorAddUsers
      )}
    </p>
  );
}

function Inner({ onClose, assign }: Props) {
  const me = useMe();
  const list = useId();
  const [typed, setTyped] = useState('');
  const [at, setAt] = useState(0);
  const [search] = useDebouncedValue(typed.trim(), TYPING_MS);
  const found = useRead(['assignees', search], (call, signal) => findAssignees(call, search, signal), {
    placeholderData: keepPreviousData,
  });
  const options = found.data === undefined ? [] : optionsOf(found.data, me.user, search !== '');
  const active = Math.min(at, options.length - 1);
  const isAlone = options.every(({ id }) => id === me.user._id || id === 'nobody');
  const choose = (option: Option | undefined): void => {
    // The newest text has not been searched yet.
    if (option === undefined || search !== typed.trim() || found.isPlaceholderData) return;
    onClose();
    assign(option.to);
  };
  const press = (event: KeyboardEvent): void => {
    if (event.key === 'Enter') choose(options[active]);
    else if (event.key === 'ArrowDown') setAt(Math.min(options.length - 1, active + 1));
    else if (event.key === 'ArrowUp') setAt(Math.max(0, active - 1));
    else return;
    event.preventDefault();
  };
  return (
    <>
      <TextInput
        label={text.assignee}
        placeholder={text.searchUsersAndTeams}
        value={typed}
        onChange={({ currentTarget }) => {
          setTyped(currentTarget.value);
          setAt(0);
        }}
        onKeyDown={press}
        role="combobox"
        aria-expanded
        aria-controls={list}
        aria-activedescendant={options[active] === undefined ? undefined : `${list}-${options[active].id}`}
        autoComplete="off"
        data-autofocus
      />
      <Region query={found} what={text.usersAndTeamsList}>
        {() => (
          <>
            <div role="listbox" id={list} aria-label={text.usersAndTeams} className={classes.options} tabIndex={-1}>
              {options.map((option, place) => (
                // biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the keys.
                <div
                  key={option.id}
                  id={`${list}-${option.id}`}
                  role="option"
                  tabIndex={-1}
                  aria-selected={place === active}
                  className={classes.option}
                  onClick={() => choose(option)}
                >
                  {option.words}
                  <span className={classes.note}>{option.note}</span>
                </div>
              ))}
              {options.length === 0 ? <p className={classes.note}>{text.noMatchingUserTeam}</p> : null}
            </div>
            {isAlone ? <WhereAdded /> : null}
          </>
        )}
      </Region>
    </>
  );
}

/** Selects the user or team to assign. */
export function AssignDialog(props: Props) {
  const { what, onClose } = props;
  return (
    <Modal opened={what !== null} onClose={onClose} title={text.assign(what ?? '')}>
      <Inner {...props} />
    </Modal>
  );
}
