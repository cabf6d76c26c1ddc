import { useMediaQuery } from '@mantine/hooks';
import type { GroupRow } from '#console/api/groups.ts';
import { Age } from '#console/facts/age.tsx';
import { Keeper } from '#console/facts/keeper.tsx';
import { SeverityMark } from '#console/facts/severity-mark.tsx';
import { count, percent } from '#console/words/counts.ts';
import { hitWords, isCertain, reachWords } from '#console/words/group-words.ts';
import classes from './noc.module.css';
import { useRoom } from './use-room.ts';
import { MOST_GROUPS } from './use-wall.ts';

const ROW_REM = 4;

function Row({ group }: { readonly group: GroupRow }) {
  const { title, severity, status, eventCount, timeSpan, rootCauseCandidate } = group;
  const hit = hitWords(group);
  return (
    <li className={classes.group} data-severity={severity} data-status={status}>
      <span className={classes.severity}>{severity === null ? null : <SeverityMark severity={severity} />}</span>
      <span className={classes.facts}>
        <strong className={classes.title}>{title ?? 'A group without a cause'}</strong>
        <span className={classes.reach}>
          {isCertain(group) ? `${percent(rootCauseCandidate?.confidence ?? 0)} sure, ` : 'cause not certain, '}
          {reachWords(group)}
          {hit === '' ? null : <strong> · {hit}</strong>}
        </span>
      </span>
      <span className={classes.numbers}>
        <span>
          <Age since={timeSpan.start} /> · {count(eventCount, 'event')}
        </span>
        <Keeper group={group} />
      </span>
    </li>
  );
}

interface Props {
  readonly rows: readonly GroupRow[];
  readonly total: number;
}

/** The worst groups, as many as there is room for. */
export function WallGroups({ rows, total }: Props) {
  const { ref, room } = useRoom(ROW_REM, MOST_GROUPS);
  const isNarrow = useMediaQuery('(max-width: 900px)', false, { getInitialValueInEffect: false });
  const shown = isNarrow ? rows : rows.slice(0, room);
  const more = total - shown.length;
  return (
    <>
      <div className={classes.room} ref={ref}>
        <ol className={classes.list} aria-label="Groups, the worst first">
          {shown.map((group) => (
            <Row key={group.correlationId} group={group} />
          ))}
        </ol>
      </div>
      {more <= 0 ? null : <p className={classes.more}>and {count(more, 'more group', 'more groups')}</p>}
    </>
  );
}
