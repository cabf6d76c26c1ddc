import { type Event, severityRank } from '#domain/event/event.ts';
import type { ListedGroup } from './group-state.ts';

/** Severity first, then time (ms). */
export const URGENCY_STEP = 2 ** 42;

/** Order of groups: the worst open member, then the latest arrival. */
export const urgencyOf = ({ group, state }: Pick<ListedGroup, 'group' | 'state'>): number => {
  const worstOpen = state.counts.open > 0 && state.severity !== null ? severityRank(state.severity) + 1 : 0;
  return worstOpen * URGENCY_STEP + group.last;
};

/** Order of open events in no group among them; `at` is that of their creation, ms. */
export const loneUrgencyOf = ({ severity }: Pick<Event, 'severity'>, at: number): number =>
  (severityRank(severity) + 1) * URGENCY_STEP + at;
