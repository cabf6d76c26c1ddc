import { useEffect } from 'react';
import { Mark } from '#console/facts/mark/mark.tsx';
import { LiveBadge } from '#console/frame/live-badge.tsx';
import { Page } from '#console/frame/page.tsx';
import { PanelBoundary } from '#console/frame/panel-boundary.tsx';
import { useMe } from '#console/hooks/use-me.ts';
import { useTicking, useZonedTimes } from '#console/hooks/use-times.ts';
import { useSlot } from '#console/slots/feature.ts';
import { Region } from '#console/states/region.tsx';
import { Skeleton } from '#console/states/skeleton.tsx';
import classes from './noc.module.css';
import { useWallGroups } from './use-wall.ts';
import { WallFoot } from './wall-foot.tsx';
import { WallGroups } from './wall-groups.tsx';
import { aside, headKind, headline } from './wall-words.ts';

/** Everything on a wall is larger: sizes of the page follow that of its root. */
const useLargeType = (): void => {
  useEffect(() => {
    document.documentElement.dataset.wall = '';
    return () => {
      delete document.documentElement.dataset.wall;
    };
  }, []);
};

function Clock() {
  const { clockTime, zoneWord } = useZonedTimes();
  return <span className={classes.clock}>{useTicking((now) => `${clockTime(now)} ${zoneWord(now)}`)}</span>;
}

/** A large screen: the worst groups, services, whether events come; nothing to click. */
export function NocPage() {
  useLargeType();
  const me = useMe();
  const groups = useWallGroups();
  const counts = groups.data?.counts;
  return (
    <Page title="Large screen" heading={false}>
      <div className={classes.wall}>
        <header className={classes.head}>
          <h1 className={classes.headline}>
            {counts === undefined ? 'Faultline' : <Mark kind={headKind(counts)}>{headline(counts)}</Mark>}
            {counts === undefined ? null : <span className={classes.aside}>{aside(counts)}</span>}
          </h1>
          <span className={classes.headEnd}>
            <span>{me.tenant.id}</span>
            <LiveBadge />
            <Clock />
          </span>
        </header>
        <section className={classes.part} aria-label="Problems">
          <PanelBoundary what="The problems">
            <Region query={groups} what="The problems" skeleton={<Skeleton rows={8} height={72} />}>
              {({ rows, total }) =>
                total === 0 ? (
                  <p className={classes.well}>
                    No active or acknowledged groups, and no open events outside of groups.
                  </p>
                ) : (
                  <WallGroups rows={rows} total={total} />
                )
              }
            </Region>
          </PanelBoundary>
        </section>
        {useSlot('wallParts').map(({ id, Part }) => (
          <Part key={id} groups={groups.data?.rows ?? []} />
        ))}
        <WallFoot />
      </div>
    </Page>
  );
}
