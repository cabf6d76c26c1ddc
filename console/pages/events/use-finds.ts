import { keepPreviousData } from '@tanstack/react-query';
import { EVENTS } from '#console/actions/use-event-status.ts';
import { readEvent, readFacets, readHistogram } from '#console/api/event-finds.ts';
import { mayConcern } from '#console/api/live/changes.ts';
import { useLive } from '#console/hooks/use-live.ts';
import { useRead } from '#console/hooks/use-read.ts';

/** Counting all that match costs more than a page of it. */
const COUNTED_MS = 5_000;

/** Counts of the filters, by facet and over time. */
export const useFinds = (asked: Readonly<Record<string, string>>) => {
  const facets = useRead([...EVENTS, 'facets', asked], (call, signal) => readFacets(call, asked, signal), {
    placeholderData: keepPreviousData,
  });
  const histogram = useRead([...EVENTS, 'histogram', asked], (call, signal) => readHistogram(call, asked, signal), {
    placeholderData: keepPreviousData,
  });
  useLive(['events'], () => [facets.refetch(), histogram.refetch()], undefined, COUNTED_MS);
  return { facets, histogram };
};

export const useEvent = (eventId: string) => {
  const event = useRead([...EVENTS, 'one', eventId], (call, signal) => readEvent(call, eventId, signal));
  useLive(
    ['events'],
    () => event.refetch(),
    (changed) => mayConcern(changed, eventId),
  );
  return event;
};
