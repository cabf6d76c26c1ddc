import { STATUSES } from '#domain/event/event.ts';
import { term, terms } from './query.ts';

/** Matches open events by their statuses and not by exclusion: only they are scanned, not the many resolved ones. */
export const IS_OPEN = terms(
  'event.status',
  STATUSES.filter((status) => status !== 'resolved'),
);

export const IS_CHANGE = term('change', true);
