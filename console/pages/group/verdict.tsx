import { Button } from '@mantine/core';
import type { Judgement } from '#console/api/group-changes.ts';
import type { GroupDetailShown } from '#console/api/groups.ts';
import { Icon } from '#console/facts/icon.tsx';
import classes from './group.module.css';

interface Props {
  readonly group: GroupDetailShown;
  readonly judge: (verdict: Judgement) => unknown;
}

const SAID = { right: 'was right', wrong: 'was wrong', unknown: 'is not known' } as const;

/** One click says whether the cause was right; the quality page counts it. */
export function VerdictButtons({ group, judge }: Props) {
  const said = group.verdict;
  const members = said?.members ?? 'right';
  return (
    <span className={classes.verdict}>
      {said === null ? 'Was this the cause?' : `${said.by.name} says: the cause ${SAID[said.cause]}`}
      <Button
        variant={said?.cause === 'right' ? 'light' : 'default'}
        size="compact-sm"
        aria-label="Yes, this was the cause"
        aria-pressed={said?.cause === 'right'}
        onClick={() => judge({ cause: 'right', members })}
      >
        <Icon name="check" size={14} />
      </Button>
      <Button
        variant={said?.cause === 'wrong' ? 'light' : 'default'}
        size="compact-sm"
        aria-label="No, this was not the cause"
        aria-pressed={said?.cause === 'wrong'}
        onClick={() => judge({ cause: 'wrong', members })}
      >
        <Icon name="close" size={14} />
      </Button>
    </span>
  );
}
