import { useTimes } from '#console/hooks/use-times.ts';

/** A time in the zone of the person; all of it is in the tooltip. */
export function When({ at }: { readonly at: string }) {
  const { when, full } = useTimes();
  return (
    <time dateTime={at} title={full(at)}>
      {when(at)}
    </time>
  );
}
