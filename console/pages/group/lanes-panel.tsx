import { Button } from '@mantine/core';
import { type CSSProperties, useState } from 'react';
import type { MemberData } from '#console/api/group-parts.ts';
import type { GroupDetailData } from '#console/api/groups.ts';
import { Panel } from '#console/frame/panel.tsx';
import { useAppServices } from '#console/hooks/app-services.ts';
import { useTimes } from '#console/hooks/use-times.ts';
import { number } from '#console/text/counts.ts';
import classes from './group.module.css';
import { type Lane, lanesOf, lanesSpan, ticksOf } from './lanes.ts';
import * as texts from './texts.ts';

interface LanesViewProps {
  readonly lanes: readonly Lane[];
  /** The time that they show, epoch ms. */
  readonly span: Parameters<typeof ticksOf>[0];
  /** Actions of users. */
  readonly acts: GroupDetailData['history'];
  readonly onSelect: (id: string) => void;
}

const FEW = 8;
const percent = (share: number): string => `${(share * 100).toFixed(2)}%`;
/** Whole minutes need no seconds. */
const short = (time: string): string => time.replace(/(\d\d:\d\d):00\b/, '$1');

function Axis({ span, acts }: Pick<LanesViewProps, 'span' | 'acts'>) {
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
        {acts
          .filter(({ at }) => Date.parse(at) <= span.to)
          .map(({ at, by, text }, place) => (
            <span
              // biome-ignore lint/suspicious/noArrayIndexKey: the order is fixed.
              key={`${at} ${place}`}
              className={classes.laneAct}
              title={`${when(at)} ${by.name}: ${text}`}
              style={{ left: percent(Math.max(0, Date.parse(at) - span.from) / length) }}
            />
          ))}
      </span>
    </div>
  );
}

/** Time lines of the problems of each CI, one below the other. */
function LanesView({ lanes, span, acts, onSelect }: LanesViewProps) {
  const [areAll, setAll] = useState(false);
  return (
    <div
      className={classes.lanes}
      style={{ '--lanes': Math.min(lanes.length, areAll ? lanes.length : FEW) } as CSSProperties}
    >
      {lanes.length === 0 ? null : <Axis span={span} acts={acts} />}
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

interface Props {
  readonly group: GroupDetailData;
  readonly members: readonly MemberData[];
  readonly onSelect: (ci: string) => void;
}

/** Durations of the problems of each CI, with the actions of users. */
export function LanesPanel({ group, members, onSelect }: Props) {
  const { clock } = useAppServices();
  const now = clock.now();
  const cause = group.cause?.ci?.id ?? null;
  return (
    <Panel title={texts.eventsByCi}>
      <LanesView
        lanes={lanesOf(members, cause, now)}
        span={lanesSpan(members, now)}
        acts={group.history}
        onSelect={onSelect}
      />
    </Panel>
  );
}
