import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData } from '@tanstack/react-query';
import { useState } from 'react';
import { findAssignees } from '#console/api/assignees.ts';
import { useRead } from '#console/hooks/use-read.ts';
import { Region } from '#console/states/region.tsx';
import { choicesOf } from './choices.ts';
import * as text from './texts.ts';
import { ValueList, ValueSearch } from './value-list.tsx';

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
      <ValueSearch label={words} placeholder={text.searchUsersAndTeams} typed={typed} onTyped={setTyped} />
      <Region query={found} what={text.usersAndTeams}>
        {(people) => (
          <ValueList
            isFound
            values={choicesOf(people, search === '' ? first : [])}
            isSet={(value) => set === value}
            choose={choose}
          />
        )}
      </Region>
    </>
  );
}
