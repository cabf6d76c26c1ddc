import { useTicking, useZonedTimes } from '#console/hooks/use-times.ts';
import classes from './frame.module.css';

/** The zone of all times on the page. */
export function ZoneWord() {
  const word = useTicking(useZonedTimes().zoneWord);
  return (
    <span className={classes.zone} title="All times are shown in this zone; change it under your name">
      {word}
    </span>
  );
}
