import { Checkbox } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { GroupRow } from '#console/api/groups.ts';
import { Age } from '#console/facts/age.tsx';
import { Keeper } from '#console/facts/keeper.tsx';
import { SeverityMark } from '#console/facts/severity-mark.tsx';
import { Sparkline } from '#console/facts/sparkline.tsx';
import { Cell } from '#console/grid/cell.tsx';
import { count, percent } from '#console/words/counts.ts';
import { hitWords, isCertain, reachWords } from '#console/words/group-words.ts';
import classes from './groups.module.css';

interface Props {
  readonly group: GroupRow;
  readonly isSelected: boolean;
  readonly toggle: () => void;
  /** It left the list by what it has become, and keeps its place. */
  readonly hasLeft: boolean;
}

const stateWords = ({ status, growing }: GroupRow): string => {
  if (status !== 'active') return status;
  return growing ? 'growing' : '';
};

/** One group of the feed, in three lines. */
export function GroupCard({ group, isSelected, toggle, hasLeft }: Props) {
  const { correlationId, title, severity, eventCount, timeSpan, rootCauseCandidate, spark } = group;
  const state = stateWords(group);
  const hit = hitWords(group);
  return (
    <div className={classes.card} data-left={hasLeft || undefined}>
      <Cell className={classes.check}>
        <Checkbox
          aria-label={`Select ${title ?? correlationId}`}
          checked={isSelected}
          onChange={toggle}
          tabIndex={-1}
        />
      </Cell>
      <Cell className={classes.mark}>{severity === null ? null : <SeverityMark severity={severity} />}</Cell>
      <Cell className={classes.facts}>
        <Link to={`/groups/${correlationId}`} className={classes.name} tabIndex={-1}>
          {title ?? 'A group without a cause'}
        </Link>
        <span className={classes.reach}>
          {isCertain(group) ? `${percent(rootCauseCandidate?.confidence ?? 0)} sure · ` : 'cause not certain · '}
          {reachWords(group)}
          {hit === '' ? null : <span className={classes.hit}> · {hit}</span>}
        </span>
        <span className={classes.who}>
          <Keeper group={group} />
          {state === '' ? null : (
            <span className={classes.state} data-state={state}>
              {state}
            </span>
          )}
        </span>
      </Cell>
      <Cell className={classes.numbers}>
        <span className={classes.size}>{count(eventCount, 'event')}</span>
        <Age since={timeSpan.start} />
        {spark === null ? null : <Sparkline values={spark} label="Arrivals since it began" />}
      </Cell>
    </div>
  );
}
