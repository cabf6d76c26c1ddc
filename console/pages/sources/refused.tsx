import { useQuery } from '@tanstack/react-query';
import { listRejected } from '#console/api/sources.ts';
import { Snippet } from '#console/facts/snippet.tsx';
import { When } from '#console/facts/when.tsx';
import { Section } from '#console/frame/section.tsx';
import { useParts } from '#console/hooks/parts.ts';
import { Notice } from '#console/states/notice.tsx';
import { Region } from '#console/states/region.tsx';
import classes from './sources.module.css';

/** As they are indented in a snippet; what was cut is no JSON any more. */
const laidOut = (payload: string): string => {
  try {
    return JSON.stringify(JSON.parse(payload), null, 2);
  } catch {
    return payload;
  }
};

/** Bodies of a source that could not be read, with the reason. */
export function Refused({ name }: { readonly name: string }) {
  const { call } = useParts();
  const query = useQuery({
    queryKey: ['sources', 'refused'],
    queryFn: ({ signal }) => listRejected(call, undefined, signal),
  });
  return (
    <Section title="Refused bodies" lead="The newest of the last 7 days, at most 5 of one request.">
      <Region query={query} what="The refused bodies">
        {({ data }) => {
          const own = data.filter(({ source }) => source === name);
          if (own.length === 0) return <Notice title="Nothing was refused">All that it sent could be read.</Notice>;
          return (
            <div className={classes.stack}>
              {own.map(({ id, at, error, index, payload }) => (
                <details key={id}>
                  <summary className={classes.refusal}>
                    <When at={at} /> {error}
                    {index === null ? '' : ` (item ${index + 1})`}
                  </summary>
                  <Snippet title="The body, cut at 8,192 characters" text={laidOut(payload)} />
                </details>
              ))}
            </div>
          );
        }}
      </Region>
    </Section>
  );
}
