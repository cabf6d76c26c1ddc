import classes from './group.module.css';
import type { Lane } from './lanes.ts';

interface Props {
  readonly lanes: readonly Lane[];
  readonly more: number;
  readonly onSelect: (id: string) => void;
}

const percent = (share: number): string => `${(share * 100).toFixed(2)}%`;

/** When each CI complained, one under the other. */
export function LanesView({ lanes, more, onSelect }: Props) {
  return (
    <div className={classes.lanes}>
      {lanes.map(({ id, name, marks }) => (
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
      {more > 0 ? <p className={classes.dim}>and {more} more</p> : null}
    </div>
  );
}
