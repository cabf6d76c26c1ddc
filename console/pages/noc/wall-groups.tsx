import { useMediaQuery } from '@mantine/hooks';
import type { GroupRow } from '#console/api/groups.ts';
import { Age } from '#console/facts/age.tsx';
import { Keeper } from '#console/facts/keeper.tsx';
import { SeverityMark } from '#console/facts/severity-mark.tsx';
import { count } from '#console/words/counts.ts';
import { hitWords, isLone, openWords, reachWords, sureWords } from '#console/words/group-words.ts';
import classes from './noc.module.css';
import { useRoom } from './use-room.ts';
import { MOST_GROUPS } from './use-wall.ts';

const ROW_REM = 4;

const placeOf = ({ cis, hosts }: GroupRow): string => cis.names[0] ?? hosts.names[0] ?? '';

function Row({ group }: { readonly group: GroupRow }) {
  const { title, severity, status, timeSpan, learning } = group;
  const hit = hitWords(group);
  return (
    <li className={classes.group} data-severity={severity} data-status={status}>
      <span className={classes.severity}>{severity === null ? null : <SeverityMark severity={severity} />}</span>
      <span className={classes.facts}>
        <strong className={classes.title}>
          <bdi>{title ?? 'No root cause identified'}</bdi>
        </strong>
        <span className={classes.reach}>
          {isLone(group) ? placeOf(group) : `${sureWords(group)}, ${reachWords(group)}`}
          {learning ? ' · Learning' : ''}
          {hit === '' ? null : <strong> · {hit}</strong>}
        </span>
      </span>
      <span className={classes.numbers}>
        <span>
          <Age since={timeSpan.start} /> · {openWords(group)}
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

/** The worst groups and events in none, as many as there is room for. */
export function WallGroups({ rows, total }: Props) {
  const { ref, room } = useRoom(ROW_REM, MOST_GROUPS);
  const isNarrow = useMediaQuery('(max-width: 900px)', false, { getInitialValueInEffect: false });
  const shown = isNarrow ? rows : rows.slice(0, room);
  const more = total - shown.length;
  return (
    <>
      <div className={classes.room} ref={ref}>
        <ol className={classes.list} aria-label="Problems, the worst first">
          {shown.map((group) => (
            <Row key={group.correlationId} group={group} />
          ))}
        </ol>
      </div>
      {more <= 0 ? null : <p className={classes.more}>and {count(more, 'more', 'more')}</p>}
    </>
  );
}
