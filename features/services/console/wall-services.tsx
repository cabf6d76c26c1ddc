import { useMediaQuery } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import type { GroupRow } from '#console/api/groups.ts';
import { PanelBoundary } from '#console/frame/panel-boundary.tsx';
import { useParts } from '#console/hooks/parts.ts';
import { useLive } from '#console/hooks/use-live.ts';
import { useMay } from '#console/hooks/use-me.ts';
import classes from '#console/pages/noc/noc.module.css';
import { useRoom } from '#console/pages/noc/use-room.ts';
import { Region } from '#console/states/region.tsx';
import { Skeleton } from '#console/states/skeleton.tsx';
import { count } from '#console/words/counts.ts';
import { listServices, type ServiceShown } from './api.ts';
import { HealthMark } from './health-mark.tsx';
import { groupsOf, worstFirst } from './worst-first.ts';

const ROW_REM = 2.5;
const MOST = 40;
const MOST_READ = 100;
const READ_MS = 10_000;

interface Props {
  readonly services: readonly ServiceShown[];
  readonly total: number;
  readonly groups: readonly GroupRow[];
}

function Services({ services, total, groups }: Props) {
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

/** How services do, the worst first, as many as there is room for. */
export function WallServices({ groups }: Pick<Props, 'groups'>) {
  const { call } = useParts();
  const may = useMay('services.read');
  const services = useQuery({
    queryKey: ['noc', 'services'],
    queryFn: ({ signal }) => listServices(call, { limit: MOST_READ }, signal),
    enabled: may,
  });
  useLive(['events', 'topology'], () => may && services.refetch({ cancelRefetch: false }), undefined, READ_MS);
  if (!may || services.data?.pagination.total === 0) return null;
  return (
    <section className={classes.part} aria-label="Services">
      <h2 className={classes.partTitle}>Services</h2>
      <PanelBoundary what="The services">
        <Region query={services} what="The services" skeleton={<Skeleton rows={6} height={40} />}>
          {({ data, pagination }) => <Services services={data} total={pagination.total} groups={groups} />}
        </Region>
      </PanelBoundary>
    </section>
  );
}
