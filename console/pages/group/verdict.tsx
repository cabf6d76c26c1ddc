import { Button } from '@mantine/core';
import { useState } from 'react';
import type { Judgement } from '#console/api/group-changes.ts';
import type { MemberShown } from '#console/api/group-parts.ts';
import type { GroupDetailShown } from '#console/api/groups.ts';
import { Icon } from '#console/facts/icon.tsx';
import { sayFailure } from '#console/frame/toasts.tsx';
import { causeChoices, verdictWords } from './cause-choices.ts';
import classes from './group.module.css';
import { VerdictDialog } from './verdict-dialog.tsx';

interface Props {
  readonly group: GroupDetailShown;
  readonly members: readonly MemberShown[];
  /** Throws when the server does not have it. */
  readonly judge: (verdict: Judgement) => Promise<void>;
}

/** One click says that the cause was right; who says that it was not is asked which it was. */
export function VerdictButtons({ group, members: all, judge }: Props) {
  const [isAsking, setAsking] = useState(false);
  const said = group.verdict;
  const members = said?.members ?? 'right';
  return (
    <span className={classes.verdict}>
      {verdictWords(group, all)}
      <Button
        variant={said?.cause === 'right' ? 'light' : 'default'}
        size="compact-sm"
        aria-label="Yes, this was the cause"
        aria-pressed={said?.cause === 'right'}
        onClick={() =>
          void judge({ cause: 'right', members }).catch((error) => sayFailure('The verdict could not be kept', error))
        }
      >
        <Icon name="check" size={14} />
      </Button>
      <Button
        variant={said?.cause === 'wrong' ? 'light' : 'default'}
        size="compact-sm"
        aria-label="No, this was not the cause"
        aria-pressed={said?.cause === 'wrong'}
        onClick={() => setAsking(true)}
      >
        <Icon name="close" size={14} />
      </Button>
      <VerdictDialog
        opened={isAsking}
        onClose={() => setAsking(false)}
        choices={(search) => causeChoices(group, all, search)}
        judge={(rootEventId) => judge({ cause: 'wrong', members, ...(rootEventId !== undefined && { rootEventId }) })}
      />
    </span>
  );
}
