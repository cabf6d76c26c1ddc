import { useMediaQuery } from '@mantine/hooks';
import { keepPreviousData } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { listEvents } from '#console/api/events.ts';
import { type GroupRow, listGroups } from '#console/api/groups.ts';
import type { AddressQuery } from '#console/api/link/address.ts';
import { readPipeline } from '#console/api/pipeline.ts';
import { Age } from '#console/components/age.tsx';
import { GroupAssignee } from '#console/components/group-assignee.tsx';
import { GroupTitle } from '#console/components/group-title.tsx';
import { Mark } from '#console/components/mark/mark.tsx';
import { SeverityMark } from '#console/components/severity-mark.tsx';
import { LiveBadge } from '#console/frame/live-badge.tsx';
import { Page } from '#console/frame/page.tsx';
import { PanelBoundary } from '#console/frame/panel-boundary.tsx';
import { useLive, useLiveState } from '#console/hooks/use-live.ts';
import { useMay, useMe } from '#console/hooks/use-me.ts';
import { useRead } from '#console/hooks/use-read.ts';
import { useTicking, useZonedTimes } from '#console/hooks/use-times.ts';
import { useSlot } from '#console/slots/feature.ts';
import { Region } from '#console/states/region.tsx';
import { Skeleton } from '#console/states/skeleton.tsx';
import { count } from '#console/text/counts.ts';
import { hitWords, isLone, openWords, reachWords, sureWords } from '#console/text/group-text.ts';
import * as nouns from '#console/text/nouns/texts.ts';
import { pipelineWords } from '../pipeline/stages.ts';
import * as text from './texts.ts';
import { grown, useRoom } from './use-room.ts';
import classes from './wallboard.module.css';
import { aside, endWords, headKind, headline, isSilent, untouchedFirst, type WallCounts } from './wallboard-text.ts';

const MAX_GROUPS = 40;
/** Minimum interval, six times as long in a storm. */
const GROUPS_MS = 2_000;
const PIPELINE_MS = 30_000;

const WALL = ['noc'] as const;
const LONE = { include: 'single' } as const;

/** The worst groups and events in none, and how many there are. */
const useWallGroups = () => {
  const groups = useRead(
    [...WALL, 'groups'],
    async (call, signal) => {
      const find = (query: AddressQuery) => listGroups(call, { ...LONE, ...query }, signal);
      const [active, acknowledged, critical] = await Promise.all([
        find({ status: 'active', limit: MAX_GROUPS }),
        find({ status: 'acknowledged', limit: MAX_GROUPS }),
        find({ status: 'active', severity: 'critical', limit: 1, view: 'row' }),
      ]);
      const counts: WallCounts = {
        active: active.pagination.total,
        critical: critical.pagination.total,
        acknowledged: acknowledged.pagination.total,
      };
      const rows = untouchedFirst(active.groups, acknowledged.groups).slice(0, MAX_GROUPS);
      return { rows, total: counts.active + counts.acknowledged, counts };
    },
    { placeholderData: keepPreviousData },
  );
  useLive(['groups', 'events'], () => groups.refetch({ cancelRefetch: false }), undefined, GROUPS_MS);
  return groups;
};

/** Time of the last event, epoch ms; null: none ever. */
const useLastEvent = () => {
  const last = useRead([...WALL, 'last'], async (call, signal): Promise<number | null> => {
    const [event] = (await listEvents(call, { limit: 1, sortBy: 'lastOccurrence', sortOrder: 'desc' }, signal)).events;
    return event === undefined ? null : Date.parse(event.lastOccurrence);
  });
  useLive(['events'], () => last.refetch({ cancelRefetch: false }), undefined, GROUPS_MS);
  return last;
};

const useWallPipeline = () => {
  const may = useMay('pipeline.read');
  const pipeline = useRead([...WALL, 'pipeline'], (call, signal) => readPipeline(call, signal), {
    refetchInterval: PIPELINE_MS,
    enabled: may,
  });
  return { may, pipeline };
};

function LastEvent() {
  const { data: at, error } = useLastEvent();
  const kind = useTicking((now) => (isSilent(at ?? null, now) ? 'caution' : 'good')) as 'caution' | 'good';
  if (error !== null && at === undefined) return <Mark kind="bad">{text.couldntLoadLastEventTime}</Mark>;
  if (at === undefined) return null;
  if (at === null) return <Mark kind="quiet">{text.noEventsYet}</Mark>;
  return (
    <Mark kind={kind}>
      <Age since={new Date(at).toISOString()} before="Last event " />
    </Mark>
  );
}

function PipelineState() {
  const { may, pipeline } = useWallPipeline();
  if (!may) return null;
  if (pipeline.error !== null) return <Mark kind="bad">{text.couldntLoadPipelineStatus}</Mark>;
  if (pipeline.data === undefined) return null;
  const { kind, words } = pipelineWords(pipeline.data.processors);
  const { waiting } = pipeline.data.dead_letters;
  return (
    <>
      <Mark kind={kind}>{words}</Mark>
      {waiting === 0 ? null : <Mark kind="caution">{count(waiting, 'dead letter')}</Mark>}
    </>
  );
}

/** Tasks of the person who looks after the screen; it never does anything by itself. */
function Advice() {
  const { user } = useMe();
  const { version } = useLiveState();
  const [first, setFirst] = useState('');
  useEffect(() => {
    if (first === '') setFirst(version);
  }, [first, version]);
  const ends = user.credential === 'jwt' || user.expires_at === null ? null : Date.parse(user.expires_at);
  const end = useTicking((now) => endWords(ends, now) ?? '');
  const isOld = first !== '' && version !== '' && version !== first;
  return (
    <>
      {end === '' ? null : <Mark kind="caution">{text.linkEnd(end)}</Mark>}
      {isOld ? <Mark kind="caution">{text.faultlineUpdated(version)}</Mark> : null}
    </>
  );
}

/** Shows if the data of the screen is reliable. */
function WallFoot() {
  return (
    <footer className={classes.foot}>
      <LastEvent />
      {useSlot('wallFoot').map(({ id, Part }) => (
        <Part key={id} />
      ))}
      <PipelineState />
      <Advice />
    </footer>
  );
}

const ROW_REM = 4;

function Row({ group }: { readonly group: GroupRow }) {
  const { severity, status, timeSpan, learning } = group;
  const hit = hitWords(group);
  return (
    <li className={classes.group} data-severity={severity} data-status={status}>
      <span className={classes.severity}>{severity === null ? null : <SeverityMark severity={severity} />}</span>
      <span className={classes.facts}>
        <strong className={classes.title}>
          <GroupTitle group={group} />
        </strong>
        <span className={classes.reach}>
          {isLone(group) ? '' : `${sureWords(group)}, ${reachWords(group)}`}
          {learning ? text.learning : ''}
          {hit === '' || isLone(group) ? null : ' · '}
          {hit === '' ? null : <strong>{hit}</strong>}
        </span>
      </span>
      <span className={classes.numbers}>
        <span>
          <Age since={timeSpan.start} /> · {openWords(group)}
        </span>
        <GroupAssignee group={group} />
      </span>
    </li>
  );
}

interface Props {
  readonly rows: readonly GroupRow[];
  readonly total: number;
}

/** The worst groups and events in none, as many as there is room for. */
function WallGroups({ rows, total }: Props) {
  const { ref, room, growthOf } = useRoom(ROW_REM, MAX_GROUPS);
  const isNarrow = useMediaQuery('(max-width: 900px)', false, { getInitialValueInEffect: false });
  const shown = isNarrow ? rows : rows.slice(0, room);
  const more = total - shown.length;
  return (
    <>
      <div className={classes.room} ref={ref}>
        <ol className={classes.list} aria-label={text.problemsBySeverity} style={grown(growthOf(shown.length))}>
          {shown.map((group) => (
            <Row key={group.correlationId} group={group} />
          ))}
        </ol>
      </div>
      {more <= 0 ? null : <p className={classes.more}>{text.andMore(count(more, 'more', 'more'))}</p>}
    </>
  );
}

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

/** A large screen: the worst groups, services, whether events arrive; nothing to click. */
export function NocPage() {
  useLargeType();
  const me = useMe();
  const groups = useWallGroups();
  const counts = groups.data?.counts;
  return (
    <Page title={text.wallboard} heading={false}>
      <div className={classes.wall}>
        <header className={classes.head}>
          <h1 className={classes.headline}>
            {counts === undefined ? text.faultline : <Mark kind={headKind(counts)}>{headline(counts)}</Mark>}
            {counts === undefined ? null : <span className={classes.aside}>{aside(counts)}</span>}
          </h1>
          <span className={classes.headEnd}>
            <span>{me.tenant.id}</span>
            <LiveBadge />
            <Clock />
          </span>
        </header>
        <section className={classes.part} aria-label={text.problems}>
          <PanelBoundary what={nouns.groups}>
            <Region query={groups} what={nouns.groups} skeleton={<Skeleton rows={8} height={72} />}>
              {({ rows, total }) =>
                total === 0 ? (
                  <p className={classes.well}>{text.noProblems}</p>
                ) : (
                  <WallGroups rows={rows} total={total} />
                )
              }
            </Region>
          </PanelBoundary>
        </section>
        {useSlot('wallParts').map(({ id, Part }) => (
          <Part key={id} />
        ))}
        <WallFoot />
      </div>
    </Page>
  );
}
