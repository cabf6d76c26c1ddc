import { Button } from '@mantine/core';
import { useState } from 'react';
import type { MemberData, MomentData } from '#console/api/group-parts.ts';
import { Timestamp } from '#console/components/timestamp.tsx';
import { Tabs } from '#console/data/tabs.tsx';
import { Panel } from '#console/frame/panel.tsx';
import { useAppServices } from '#console/hooks/app-services.ts';
import { useAddress } from '#console/hooks/use-address.ts';
import { useTimes } from '#console/hooks/use-times.ts';
import { Region } from '#console/states/region.tsx';
import { Skeleton } from '#console/states/skeleton.tsx';
import { number } from '#console/text/counts.ts';
import classes from './group.module.css';
import { type Lane, lanesOf, lanesSpan, ticksOf } from './lanes.ts';
import { useTimeline } from './read/use-group.ts';
import * as texts from './texts.ts';

interface LanesViewProps {
  readonly lanes: readonly Lane[];
  /** The time that they show, epoch ms. */
  readonly span: Parameters<typeof ticksOf>[0];
  readonly onSelect: (id: string) => void;
}

const FEW = 12;
const percent = (share: number): string => `${(share * 100).toFixed(2)}%`;
/** Whole minutes need no seconds. */
const short = (time: string): string => time.replace(/(\d\d:\d\d):00\b/, '$1');

function Axis({ span }: Pick<LanesViewProps, 'span'>) {
  const { when, full } = useTimes();
  const length = Math.max(1, span.to - span.from);
  return (
    <div className={classes.lane}>
      <span />
      <span className={classes.laneAxis} data-drawn>
        {ticksOf(span).map((at) => (
          <time
            key={at}
            dateTime={new Date(at).toISOString()}
            title={full(at)}
            className={classes.laneTick}
            style={{ left: percent((at - span.from) / length) }}
            data-late={at - span.from > length * 0.8 || undefined}
          >
            {short(when(at))}
          </time>
        ))}
      </span>
    </div>
  );
}

/** Time lines of the problems of each CI, one below the other. */
function LanesView({ lanes, span, onSelect }: LanesViewProps) {
  const [areAll, setAll] = useState(false);
  return (
    <div className={classes.lanes}>
      {lanes.length === 0 ? null : <Axis span={span} />}
      {(areAll ? lanes : lanes.slice(0, FEW)).map(({ id, name, marks }) => (
        <div key={id} className={classes.lane}>
          <button type="button" className={classes.laneName} onClick={() => onSelect(id)} title={name}>
            {name}
          </button>
          <span className={classes.laneLine} data-drawn>
            {marks.map(({ eventId, title, severity, from, to }) => (
              <span
                key={eventId}
                className={classes.laneMark}
                data-severity={severity}
                title={title}
                style={{ left: percent(from), width: percent(to - from) }}
              />
            ))}
          </span>
        </div>
      ))}
      {lanes.length <= FEW ? null : (
        <Button variant="subtle" size="compact-xs" aria-expanded={areAll} onClick={() => setAll(!areAll)}>
          {areAll ? texts.showFewer : texts.andMore(number(lanes.length - FEW))}
        </Button>
      )}
    </div>
  );
}

const KIND_WORDS: Readonly<Record<MomentData['kind'], string>> = {
  founded: 'began',
  joined: 'joined',
  merged: 'merged',
  status: 'status',
  note: texts.note,
  assigned: 'assigned',
  verdict: 'verdict',
  split: 'split',
  cause: 'cause',
  closed: 'ended',
  topology: 'change',
};

const ORDERS = [
  { value: 'desc', words: texts.newestFirst },
  { value: 'asc', words: texts.oldestFirst },
] as const;

interface Props {
  readonly id: string;
  readonly members: readonly MemberData[];
  readonly cause: string | null;
  readonly onSelect: (ci: string) => void;
}

/** The timeline, and the duration of the problems of each CI. */
export function TimelinePanel({ id, members, cause, onSelect }: Props) {
  const { clock } = useAppServices();
  const { query, change } = useAddress();
  const order = query.timeline === 'oldest' ? 'asc' : 'desc';
  const timeline = useTimeline(id, order);
  const now = clock.now();
  const turn = (
    <Tabs
      label={texts.orderOfTheTimeline}
      value={order}
      tabs={ORDERS}
      onChange={(next) => change({ timeline: next === 'asc' ? 'oldest' : null }, { replace: true })}
    />
  );
  return (
    <Panel title={texts.timeline} wide end={turn}>
      <div className={classes.timeline}>
        <Region query={timeline} what={texts.timelineEntries} skeleton={<Skeleton rows={5} height={28} />}>
          {({ pages }) => (
            // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be reached by keys.
            <ol className={classes.moments} data-keys tabIndex={0} aria-label={texts.groupTimeline}>
              {pages
                .flatMap((page) => page.timeline)
                .map(({ at, kind, eventId, by, text }, place) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: what happened stays where it is.
                  <li key={`${at} ${eventId ?? ''} ${place}`} data-kind={kind}>
                    <Timestamp at={at} />
                    <span className={classes.momentKind}>{KIND_WORDS[kind]}</span>
                    <span className={classes.momentText}>
                      {text}
                      {by === undefined ? null : <span className={classes.dim}> · {by.name}</span>}
                    </span>
                  </li>
                ))}
              {timeline.hasNextPage ? (
                <li>
                  <Button
                    variant="subtle"
                    size="compact-xs"
                    loading={timeline.isFetchingNextPage}
                    onClick={() => void timeline.fetchNextPage()}
                  >
                    {order === 'desc' ? texts.loadEarlier : texts.loadLater}
                  </Button>
                </li>
              ) : null}
              {!timeline.hasNextPage && pages.at(-1)?.truncated ? (
                <li className={classes.dim}>{texts.timelineTruncatedEventsTab}</li>
              ) : null}
            </ol>
          )}
        </Region>
        <LanesView lanes={lanesOf(members, cause, now)} span={lanesSpan(members, now)} onSelect={onSelect} />
      </div>
    </Panel>
  );
}
