import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTimes } from '#console/hooks/use-times.ts';
import { number } from '#console/words/counts.ts';
import classes from './group.module.css';
import { type Lane, ticksOf } from './lanes.ts';

interface Props {
  readonly lanes: readonly Lane[];
  /** The time that they show, epoch ms. */
  readonly span: Parameters<typeof ticksOf>[0];
  readonly onSelect: (id: string) => void;
}

const FEW = 12;
const percent = (share: number): string => `${(share * 100).toFixed(2)}%`;
/** Whole minutes need no seconds. */
const short = (time: string): string => time.replace(/(\d\d:\d\d):00\b/, '$1');

function Axis({ span }: Pick<Props, 'span'>) {
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

/** When each CI complained, one under the other. */
export function LanesView({ lanes, span, onSelect }: Props) {
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
          {areAll ? 'Show fewer' : `and ${number(lanes.length - FEW)} more`}
        </Button>
      )}
    </div>
  );
}
