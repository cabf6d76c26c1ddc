import { useMediaQuery } from '@mantine/hooks';
import type { ServiceShown } from '#console/api/cmdb/services.ts';
import type { GroupRow } from '#console/api/groups.ts';
import { HealthMark } from '#console/facts/health-mark.tsx';
import { count } from '#console/words/counts.ts';
import { groupsOf, worstFirst } from '#features/services/console/services/worst-first.ts';
import classes from './noc.module.css';
import { useRoom } from './use-room.ts';

const ROW_REM = 2.5;
const MOST = 40;

interface Props {
  readonly services: readonly ServiceShown[];
  readonly total: number;
  readonly groups: readonly GroupRow[];
}

/** How services do, the worst first, as many as there is room for. */
export function WallServices({ services, total, groups }: Props) {
  const { ref, room } = useRoom(ROW_REM, MOST);
  const isNarrow = useMediaQuery('(max-width: 900px)', false, { getInitialValueInEffect: false });
  const shown = worstFirst(services).slice(0, isNarrow ? MOST : room);
  return (
    <>
      <div className={classes.room} ref={ref}>
        <ul className={classes.list} aria-label="Services, the worst first">
          {shown.map(({ id, name, health }) => {
            const hit = groupsOf(name, groups).length;
            return (
              <li key={id} className={classes.service}>
                <span className={classes.serviceName}>{name}</span>
                <span className={classes.serviceState}>
                  {hit === 0 ? null : <span>{count(hit, 'problem')}</span>}
                  <HealthMark status={health.status} />
                </span>
              </li>
            );
          })}
        </ul>
      </div>
      {total <= shown.length ? null : <p className={classes.more}>and {count(total - shown.length, 'more', 'more')}</p>}
    </>
  );
}
