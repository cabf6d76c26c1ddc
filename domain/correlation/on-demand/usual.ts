import { type Event, eventIdOf } from '#domain/event/event.ts';
import { eventWords } from '#domain/event/event-words.ts';
import { SEEN_BINS, usualBins } from '#domain/event/life/accumulated.ts';

/** One of the two events explains nothing, since its complaint is there most of the time. */
export interface UsualMark {
  readonly eventId: string;
  readonly reason: string;
}

/** For how much of the four hours its complaint was there; what is forgotten of them by now is not counted. */
const share = ({ seen, firstOccurrence }: Pick<Event, 'seen' | 'firstOccurrence'>): string => {
  const known = usualBins(seen, firstOccurrence);
  if (known === null) return 'most';
  return `${known.isWhole ? '' : 'at least '}${Math.round((100 * known.bins) / SEEN_BINS)} %`;
};

/** Null for an event that is not usual. */
export const usualMark = (event: Event): UsualMark | null => {
  if (!event.usual) return null;
  const eventId = eventIdOf(event.id);
  const reason = `${eventWords(event)} is usual: its complaint was there in ${share(event)} of the 10-minute spans of the last 4 h before it began, so it is no cause of others, and its CI does not count`;
  return { eventId, reason };
};
