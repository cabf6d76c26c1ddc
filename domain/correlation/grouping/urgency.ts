import { type Event, type Severity, severityRank } from '#domain/event/event.ts';
import { isOn, type ListedGroup } from './group-state.ts';

/** Larger than all times in ms. */
const LATEST = 2 ** 42;
const SERVICE = 2 * LATEST;
/** More services make nothing more urgent. */
const MAX_HITS = 15;
/** Lowest urgency of an active group. */
export const MIN_ON = SERVICE * (MAX_HITS + 1);

interface Urgent {
  /** Severity of active members; null: all are over. */
  readonly severity: Severity | null;
  /** Services that it hits. */
  readonly hits: number;
  /** It is not acknowledged. */
  readonly isActive: boolean;
  /** ms. */
  readonly last: number;
}
/** Orders by severity, then by affected services, then active before acknowledged, then the newest. */
const urgency = ({ severity, hits, isActive, last }: Urgent): number =>
  severity === null
    ? last
    : (severityRank(severity) + 1) * MIN_ON + Math.min(hits, MAX_HITS) * SERVICE + (isActive ? LATEST : 0) + last;

/** Order of groups; `last` is their latest arrival. */
export const urgencyOf = ({ group: { last }, state }: Pick<ListedGroup, 'group' | 'state'>): number => {
  const { status, severity, hits } = state;
  return urgency({ severity: status === 'resolved' ? null : severity, hits, isActive: status === 'active', last });
};

/** Order of events in no group among them; `at` is that of their creation, ms. */
export const loneUrgencyOf = ({ severity, status }: Pick<Event, 'severity' | 'status'>, at: number): number =>
  urgency({ severity: isOn(status) ? severity : null, hits: 0, isActive: status === 'open', last: at });
