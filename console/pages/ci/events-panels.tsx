import type { CiFacts } from '#console/api/cmdb/cmdb.ts';
import { GroupRows } from '#console/cis/group-rows.tsx';
import { PageLink } from '#console/cis/page-link.tsx';
import { Nothing } from '#console/cis/panels.tsx';
import rows from '#console/data/rows.module.css';
import { Age } from '#console/facts/age.tsx';
import { SeverityMark } from '#console/facts/severity-mark.tsx';
import { StatusMark } from '#console/facts/status-mark.tsx';
import { Times } from '#console/facts/times.tsx';
import { Panel } from '#console/frame/panel.tsx';
import { useMay } from '#console/hooks/use-me.ts';
import { Region } from '#console/states/region.tsx';
import { Skeleton } from '#console/states/skeleton.tsx';
import { number, openCounts } from '#console/words/counts.ts';
import classes from './ci.module.css';
import { useCiEvents, useCiGroups } from './use-ci.ts';

interface Props {
  readonly ci: CiFacts;
}
const SKELETON = <Skeleton rows={3} height={30} />;

/** Its problems now. */
export function EventsPanel({ ci }: Props) {
  const events = useCiEvents(ci._id);
  if (!useMay('events.read')) return null;
  const total = events.data?.pagination.total ?? 0;
  const acknowledged = events.data?.acknowledged ?? 0;
  const end = (
    <PageLink to={`/events?ciId=${ci._id}`} className={classes.panelLink}>
      All events
    </PageLink>
  );
  return (
    <Panel title={total === 0 ? 'Open events' : `Events: ${openCounts({ open: total, acknowledged })}`} end={end}>
      <Region query={events} what="Its events" skeleton={SKELETON}>
        {({ data }) =>
          data.length === 0 ? (
            <Nothing>None. It does what it should.</Nothing>
          ) : (
            <ul className={rows.rows}>
              {data.map((event) => (
                <li key={event.eventId} className={rows.row}>
                  <SeverityMark severity={event.severity} bare />
                  <PageLink to={`/events?ciId=${ci._id}&event=${event.eventId}`} className={rows.rowMain}>
                    {event.title}
                  </PageLink>
                  <Times count={event.occurrenceCount} />
                  <StatusMark status={event.status} />
                  <Age since={event.timestamp} />
                </li>
              ))}
              {total > data.length ? <li className={rows.note}>{number(total - data.length)} more</li> : null}
            </ul>
          )
        }
      </Region>
    </Panel>
  );
}

/** Faults that it has a part in. */
export function GroupsPanel({ ci }: Props) {
  const groups = useCiGroups(ci._id);
  if (!useMay('events.read')) return null;
  return (
    <Panel title="Groups it is in">
      <Region query={groups} what="Its groups" skeleton={SKELETON}>
        {({ groups: found }) =>
          found.length === 0 ? <Nothing>None.</Nothing> : <GroupRows groups={found} withStatus />
        }
      </Region>
    </Panel>
  );
}
