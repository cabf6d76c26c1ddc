import { useState } from 'react';
import type { GroupRow } from '#console/api/groups.ts';
import { GroupTitle } from '#console/components/group-title.tsx';
import listed from '#console/data/found.module.css';
import forms from '#console/forms/forms.module.css';
import { ReasonDialog } from '#console/forms/reason-dialog.tsx';
import { count } from '#console/text/counts.ts';
import { GroupSearch } from './group-search.tsx';
import * as texts from './texts.ts';

interface Props {
  /** One: the other is searched. Several: they become one. Empty: closed. */
  readonly groups: readonly GroupRow[];
  readonly onClose: () => void;
  readonly merge: (groups: readonly GroupRow[], reason: string) => Promise<unknown>;
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
      {isOne && first !== undefined ? (
        <GroupSearch
          label={texts.mergeWith}
          except={new Set([first.correlationId])}
          chosen={chosen}
          onChoose={setChosen}
        />
      ) : null}
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
