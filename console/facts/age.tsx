import { useAge, useTimes } from '#console/hooks/use-times.ts';
import classes from './facts.module.css';

interface Props {
  /** ISO 8601. */
  readonly since: string;
  /** As in "for 4 min". */
  readonly before?: string;
  readonly after?: string;
}

/** How long ago something was; the exact time is in the tooltip. */
export function Age({ since, before = '', after = '' }: Props) {
  const age = useAge(Date.parse(since));
  const { full } = useTimes();
  return (
    <time className={classes.age} dateTime={since} title={full(since)}>
      {before}
      {age}
      {after}
    </time>
  );
}
