import { TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type GroupDetail, type GroupRow, listGroups } from '#console/api/groups.ts';
import { SeverityMark } from '#console/facts/severity-mark.tsx';
import { useParts } from '#console/hooks/parts.ts';
import { Region } from '#console/states/region.tsx';
import { sentence } from '#console/words/group-words.ts';
import classes from './group.module.css';
import { ReasonDialog } from './reason-dialog.tsx';

interface Props {
  readonly group: GroupDetail;
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly merge: (other: GroupRow, reason: string) => unknown;
}

const FOUND = 12;

/** Finds the group that is the same fault. */
export function MergeDialog({ group, opened, onClose, merge }: Props) {
  const { call } = useParts();
  const [typed, setTyped] = useState('');
  const [text] = useDebouncedValue(typed.trim(), 300);
  const [chosen, setChosen] = useState<GroupRow | null>(null);
  const found = useQuery({
    queryKey: ['groups', 'found', text, FOUND],
    queryFn: ({ signal }) => listGroups(call, { search: text || undefined, limit: FOUND }, signal),
    placeholderData: keepPreviousData,
    enabled: opened,
  });
  return (
    <ReasonDialog
      opened={opened}
      onClose={onClose}
      title="Merge with another group"
      action="Merge"
      isReady={chosen !== null}
      act={(reason) => chosen !== null && merge(chosen, reason)}
    >
      <p className={classes.text}>The older of the two keeps its id; the other id still leads to it.</p>
      <TextInput
        label="The other group"
        placeholder="Words of one of its events"
        value={typed}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        data-autofocus
      />
      <Region query={found} what="The groups">
        {({ groups }) => (
          <ul className={classes.foundEvents} aria-label="Groups found">
            {groups
              .filter(({ correlationId }) => correlationId !== group.correlationId)
              .map((other) => (
                <li key={other.correlationId}>
                  <button
                    type="button"
                    className={classes.foundEvent}
                    aria-pressed={other.correlationId === chosen?.correlationId}
                    onClick={() => setChosen(other)}
                  >
                    {other.severity === null ? null : <SeverityMark severity={other.severity} bare />}
                    <span className={classes.foundName}>
                      {other.title}
                      <span className={classes.foundWords}>{sentence(other)}</span>
                    </span>
                  </button>
                </li>
              ))}
          </ul>
        )}
      </Region>
    </ReasonDialog>
  );
}
