import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { readSource } from '#console/api/sources.ts';
import { Page } from '#console/frame/page.tsx';
import { useParts } from '#console/hooks/parts.ts';
import { useLive } from '#console/hooks/use-live.ts';
import { useMay } from '#console/hooks/use-me.ts';
import { Region } from '#console/states/region.tsx';
import { Skeleton } from '#console/states/skeleton.tsx';
import { FirstEvent } from './first-event.tsx';
import { Refused } from './refused.tsx';
import { SetUp } from './set-up.tsx';

const READ_MS = 5_000;
/** A page that is forgotten asks no more: five minutes without a word from it. */
const MOST_READS = 60;

/** One source of events. */
export function SourcePage() {
  const { name = '' } = useParams({ strict: false }) as { readonly name?: string };
  const { call } = useParts();
  const mayRead = useMay('pipeline.read');
  const [before, setBefore] = useState<string | null | undefined>(undefined);
  const query = useQuery({
    queryKey: ['sources', 'one', name],
    queryFn: ({ signal }) => readSource(call, name, signal),
    refetchInterval: ({ state }) => (state.dataUpdateCount > MOST_READS ? false : READ_MS),
  });
  useLive(['events'], () => query.refetch());
  if (before === undefined && query.data !== undefined) setBefore(query.data.lastEventAt);
  return (
    <Page title={query.data?.title ?? 'Source'} scrolls lead={<Link to="/sources">All sources</Link>}>
      <Region query={query} what="The source" skeleton={<Skeleton rows={8} height={48} />}>
        {(source) => (
          <>
            <FirstEvent source={source} before={before ?? null} />
            <SetUp source={source} />
            {mayRead ? <Refused name={name} /> : null}
          </>
        )}
      </Region>
    </Page>
  );
}
