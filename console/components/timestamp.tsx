import { useTimes } from '#console/hooks/use-times.ts';

/** A time in the zone of the person; all of it is in the tooltip. */
export function Timestamp({
  at,
  isDated = false,
}: {
  readonly at: string /** With its day, today too. */;
  readonly isDated?: boolean;
}) {
  const { when, dated, full } = useTimes();
  return (
    <time dateTime={at} title={full(at)}>
      {isDated ? dated(at) : when(at)}
    </time>
  );
}
