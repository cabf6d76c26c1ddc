import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { EVENTS } from '#console/actions/use-event-status.ts';
import { readEvent, readFacets, readHistogram } from '#console/api/event-finds.ts';
import { mayConcern } from '#console/api/live/changes.ts';
import { useAppServices } from '#console/hooks/app-services.ts';
import { useLive } from '#console/hooks/use-live.ts';

/** Counting all that match costs more than a page of it. */
const COUNTED_MS = 5_000;

/** Counts of the filters, by facet and over time. */
export const useFinds = (asked: Readonly<Record<string, string>>) => {
  const { call } = useAppServices();
  const facets = useQuery({
    queryKey: [...EVENTS, 'facets', asked],
    queryFn: ({ signal }) => readFacets(call, asked, signal),
    placeholderData: keepPreviousData,
  });
  const histogram = useQuery({
    queryKey: [...EVENTS, 'histogram', asked],
    queryFn: ({ signal }) => readHistogram(call, asked, signal),
    placeholderData: keepPreviousData,
  });
  useLive(['events'], () => [facets.refetch(), histogram.refetch()], undefined, COUNTED_MS);
  return { facets, histogram };
};

export const useEvent = (eventId: string) => {
  const { call } = useAppServices();
  const event = useQuery({
    queryKey: [...EVENTS, 'one', eventId],
    queryFn: ({ signal }) => readEvent(call, eventId, signal),
  });
  useLive(
    ['events'],
    () => event.refetch(),
    (changed) => mayConcern(changed, eventId),
  );
  return event;
};
