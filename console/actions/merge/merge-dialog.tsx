import { TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData } from '@tanstack/react-query';
import { useState } from 'react';
import { type GroupRow, listGroups } from '#console/api/groups.ts';
import { GroupTitle } from '#console/components/group-title.tsx';
import { SeverityMark } from '#console/components/severity-mark.tsx';
import choice from '#console/data/choice.module.css';
import listed from '#console/data/found.module.css';
import forms from '#console/forms/forms.module.css';
import { ReasonDialog } from '#console/forms/reason-dialog.tsx';
import { useRead } from '#console/hooks/use-read.ts';
import { Region } from '#console/states/region.tsx';
import { count } from '#console/text/counts.ts';
import { sentence } from '#console/text/group-text.ts';
import * as texts from './texts.ts';

interface Props {
  /** One: the other is searched. Several: they become one. Empty: closed. */
  readonly groups: readonly GroupRow[];
  readonly onClose: () => void;
  readonly merge: (groups: readonly GroupRow[], reason: string) => Promise<unknown>;
}

const FOUND = 12;
const TYPING_MS = 300;
/** An event in no group is moved to one by a merge. */
const ALSO_SINGLE = { include: 'single', singleFrom: 'info' } as const;

function OtherGroup({
  group,
  chosen,
  onChoose,
}: {
  readonly group: GroupRow;
  readonly chosen: GroupRow | null;
  readonly onChoose: (group: GroupRow) => void;
}) {
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
        label={texts.mergeWith}
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
              .filter(({ correlationId }) => correlationId !== group.correlationId)
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

/** Groups that are the same fault become one. */
export function MergeDialog({ groups, onClose, merge }: Props) {
  const [chosen, setChosen] = useState<GroupRow | null>(null);
  const [first] = groups;
  const isOne = groups.length === 1;
  return (
    <ReasonDialog
      opened={first !== undefined}
      onClose={() => {
        setChosen(null);
        onClose();
      }}
      title={isOne ? texts.mergeWithAnotherGroup : texts.merge(count(groups.length, 'group'))}
      action={texts.mergeAction}
      isReady={!isOne || chosen !== null}
      act={(reason) => merge(chosen === null ? groups : [...groups, chosen], reason)}
    >
      <p className={forms.text}>{texts.oldestGroupKeepsIts}</p>
      {isOne && first !== undefined ? <OtherGroup group={first} chosen={chosen} onChoose={setChosen} /> : null}
      {isOne ? null : (
        <ul className={listed.list} aria-label={texts.groupsToMerge}>
          {groups.map((group) => (
            <li key={group.correlationId}>
              <GroupTitle group={group} />
            </li>
          ))}
        </ul>
      )}
    </ReasonDialog>
  );
}
