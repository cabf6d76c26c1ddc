import { TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData } from '@tanstack/react-query';
import { useState } from 'react';
import { findAssignees } from '#console/api/assignees.ts';
import { Icon } from '#console/components/icon.tsx';
import choice from '#console/data/choice.module.css';
import classes from '#console/data/data.module.css';
import { useRead } from '#console/hooks/use-read.ts';
import { Region } from '#console/states/region.tsx';
import { choicesOf } from './choices.ts';
import * as text from './texts.ts';

interface Props {
  readonly words: string;
  /** Options for me and unassigned. */
  readonly first: Parameters<typeof choicesOf>[1];
  readonly set: string | undefined;
  readonly choose: (value: string) => void;
}

const TYPING_MS = 200;

/** Users and teams by name, of which one is chosen. */
export function AssigneeValues({ words, first, set, choose }: Props) {
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed.trim(), TYPING_MS);
  const found = useRead(['assignees', search], (call, signal) => findAssignees(call, search, signal), {
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <TextInput
        aria-label={words}
        placeholder={text.searchUsersAndTeams}
        value={typed}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        data-autofocus
      />
      <Region query={found} what={text.usersAndTeams}>
        {(people) => (
          <ul className={`${classes.values} ${classes.people}`}>
            {choicesOf(people, search === '' ? first : []).map(({ value, words: label, note }) => (
              <li key={value}>
                <button
                  type="button"
                  className={`${choice.choice} ${classes.value}`}
                  aria-pressed={set === value}
                  onClick={() => choose(value)}
                >
                  <span className={classes.tick}>{set === value ? <Icon name="check" size={14} /> : null}</span>
                  {label}
                  <span className={classes.note}>{note}</span>
                </button>
              </li>
            ))}
          </ul>
        )}
      </Region>
    </>
  );
}
