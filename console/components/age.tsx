import { useAge, useTimes } from '#console/hooks/use-times.ts';
import classes from './facts.module.css';
import * as text from './texts.ts';

interface Props {
  /** ISO 8601. */
  readonly since: string;
  /** Prefix, as in "Started 4m ago". */
  readonly before?: string;
}

/** Shows the age of something; the exact time is in the tooltip. */
export function Age({ since, before = '' }: Props) {
  const age = useAge(Date.parse(since));
  const { full } = useTimes();
  return (
    <time className={classes.age} dateTime={since} title={full(since)}>
      {before}
      {text.ago(age)}
    </time>
  );
}
