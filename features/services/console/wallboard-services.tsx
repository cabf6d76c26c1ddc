import { useMediaQuery } from '@mantine/hooks';
import type { GroupRow } from '#console/api/groups.ts';
import { PanelBoundary } from '#console/frame/panel-boundary.tsx';
import { useLive } from '#console/hooks/use-live.ts';
import { useMay } from '#console/hooks/use-me.ts';
import { useRead } from '#console/hooks/use-read.ts';
import { grown, useRoom } from '#console/pages/wallboard/use-room.ts';
import classes from '#console/pages/wallboard/wallboard.module.css';
import { Region } from '#console/states/region.tsx';
import { Skeleton } from '#console/states/skeleton.tsx';
import { count } from '#console/text/counts.ts';
import * as nouns from '#console/text/nouns/texts.ts';
import { listServices, type ServiceData } from './api.ts';
import { HealthMark } from './health-mark.tsx';
import * as text from './texts.ts';
import { useOpenGroups } from './use-open-groups.ts';
import { groupsOf, worstFirst } from './worst-first.ts';

const ROW_REM = 2.5;
const MOST = 40;
/** Room of a row for a name above its state. */
const TILES_FROM = 1.6;
const MAX_READ = 100;
const READ_MS = 10_000;

interface Props {
  readonly services: readonly ServiceData[];
  readonly total: number;
  readonly groups: readonly GroupRow[];
}

function Services({ services, total, groups }: Props) {
  const { ref, room, growthOf } = useRoom(ROW_REM, MOST);
  const isNarrow = useMediaQuery('(max-width: 900px)', false, { getInitialValueInEffect: false });
  const shown = worstFirst(services).slice(0, isNarrow ? MOST : room);
  const growth = growthOf(shown.length);
  return (
    <>
      <div className={classes.room} ref={ref}>
        <ul
          className={classes.list}
          aria-label={text.servicesByHealth}
          data-tiles={growth >= TILES_FROM || undefined}
          style={grown(growth)}
        >
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
      {total <= shown.length ? null : (
        <p className={classes.more}>{text.andMore(count(total - shown.length, 'more', 'more'))}</p>
      )}
    </>
  );
}

/** Shows the state of services, worst first, within the available room. */
export function WallServices() {
  const groups = useOpenGroups();
  const may = useMay('services.read');
  const services = useRead(['noc', 'services'], (call, signal) => listServices(call, { limit: MAX_READ }, signal), {
    enabled: may,
  });
  useLive(
    ['events', 'topology'],
    () => may && Promise.all([services, groups].map((one) => one.refetch({ cancelRefetch: false }))),
    undefined,
    READ_MS,
  );
  if (!may || services.data?.pagination.total === 0) return null;
  return (
    <section className={classes.part} aria-label={text.services}>
      <h2 className={classes.partTitle}>{text.services}</h2>
      <PanelBoundary what={nouns.services}>
        <Region query={services} what={nouns.services} skeleton={<Skeleton rows={6} height={40} />}>
          {({ data, pagination }) => (
            <Services services={data} total={pagination.total} groups={groups.data?.groups ?? []} />
          )}
        </Region>
      </PanelBoundary>
    </section>
  );
}
