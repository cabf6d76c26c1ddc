import { TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData } from '@tanstack/react-query';
import { useState } from 'react';
import { type GroupRow, listGroups } from '#console/api/groups.ts';
import { GroupTitle } from '#console/components/group-title.tsx';
import { SeverityMark } from '#console/components/severity-mark.tsx';
import choice from '#console/data/choice.module.css';
import listed from '#console/data/found.module.css';
import { useRead } from '#console/hooks/use-read.ts';
import { Region } from '#console/states/region.tsx';
import { sentence } from '#console/text/group-text.ts';
import * as texts from './texts.ts';

const FOUND = 12;
const TYPING_MS = 300;
const ALSO_SINGLE = { include: 'single', singleFrom: 'info' } as const;

interface Props {
  readonly label: string;
  /** Not offered. */
  readonly except: ReadonlySet<string>;
  readonly chosen: GroupRow | null;
  readonly onChoose: (group: GroupRow) => void;
}

/** Groups, and events in none, by their words. */
export function GroupSearch({ label, except, chosen, onChoose }: Props) {
  const [typed, setTyped] = useState('');
  const [text] = useDebouncedValue(typed.trim(), TYPING_MS);
  const found = useRead(
    ['groups', 'found', text, FOUND],
    (call, signal) => listGroups(call, { search: text || undefined, ...ALSO_SINGLE, limit: FOUND }, signal),
    { placeholderData: keepPreviousData },
  );
  return (
    <>
      <TextInput
        label={label}
        placeholder={texts.searchEventTitleDescription}
        value={typed}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        data-autofocus
      />
      <Region query={found} what={texts.groups}>
        {({ groups }) => (
          <ul className={listed.list} aria-label={texts.matchingGroups}>
            {groups.length === 0 ? <li>{texts.noMatches}</li> : null}
            {groups
              .filter(({ correlationId }) => !except.has(correlationId))
              .map((other) => (
                <li key={other.correlationId}>
                  <button
                    type="button"
                    className={`${choice.choice} ${listed.one}`}
                    aria-pressed={other.correlationId === chosen?.correlationId}
                    onClick={() => onChoose(other)}
                  >
                    {other.severity === null ? null : <SeverityMark severity={other.severity} bare />}
                    <span className={listed.name}>
                      <GroupTitle group={other} />
                      <span className={listed.words}>{sentence(other)}</span>
                    </span>
                  </button>
                </li>
              ))}
          </ul>
        )}
      </Region>
    </>
  );
}
