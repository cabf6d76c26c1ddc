import { STATUSES } from '#domain/event/event.ts';
import { term, terms } from './query.ts';

/** Events that are open, said by what they are and not by what they are not: only they are looked at, not the many that are resolved. */
export const IS_OPEN = terms(
  'event.status',
  STATUSES.filter((status) => status !== 'resolved'),
);

export const IS_CHANGE = term('change', true);
