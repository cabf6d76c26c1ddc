import { useSettings } from '#console/hooks/use-settings.ts';
import { useTicking } from '#console/hooks/use-times.ts';
import { zoneWord } from '#console/words/times.ts';
import classes from './frame.module.css';

/** The zone of all times on the page. */
export function ZoneWord() {
  const { zone } = useSettings();
  const word = useTicking((now) => zoneWord(now, zone));
  return (
    <span className={classes.zone} title="All times are shown in this zone; change it under your name">
      {word}
    </span>
  );
}
