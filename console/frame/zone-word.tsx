import { Link } from '@tanstack/react-router';
import { useTicking, useZonedTimes } from '#console/hooks/use-times.ts';
import classes from './frame.module.css';

/** The zone of all times on the page. */
export function ZoneWord() {
  const word = useTicking(useZonedTimes().zoneWord);
  return (
    <Link
      to="/me"
      className={classes.zone}
      title="All times are shown in this zone; a click leads to where it is chosen"
    >
      {word}
    </Link>
  );
}
