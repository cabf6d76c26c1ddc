import { type Event, eventIdOf } from '#domain/event/event.ts';
import { eventWords } from '#domain/event/event-words.ts';
import { SEEN_BINS, usualBins } from '#domain/event/lifecycle/accumulated.ts';
import { percent } from '#domain/numbers.ts';

/** One of the two events explains nothing, since its problem is present most of the time. */
export interface RecurringMark {
  readonly eventId: string;
  readonly reason: string;
}

/** Returns the share of the four hours for which its problem was present; bins forgotten by now are not counted. */
const share = ({ seen, firstOccurrence }: Pick<Event, 'seen' | 'firstOccurrence'>): string => {
  const known = usualBins(seen, firstOccurrence);
  if (known === null) return 'most';
  return `${known.isWhole ? '' : 'at least '}${percent(known.bins / SEEN_BINS)}`;
};

/** Null for an event that is not usual. */
export const recurringMark = (event: Event): RecurringMark | null => {
  if (!event.usual) return null;
  const eventId = eventIdOf(event.id);
  const reason = `${eventWords(event)} is recurring: active in ${share(event)} of the 4 hours before it started. Recurring events are not root-cause candidates and their CI is not counted as affected`;
  return { eventId, reason };
};
