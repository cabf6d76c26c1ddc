import type { Guard, ResolvedSettings } from '#domain/correlation/records.ts';
import type { Link } from '#domain/event/incoming.ts';

/** Reach of a temporal score above 0.7, as a share of the window. */
export const TEMPORAL_REACH = 0.178;
/** A group starts with this many members that were not suppressed when they arrived. */
const OPENERS = 2;

/** A group, a group in the making, or one event alone. Times in ms. */
export interface Side {
  readonly closed: boolean;
  readonly first: number;
  readonly last: number;
  readonly size: number;
  /** Whether it is a group, or is going to be one by this decision. */
  readonly grouped: boolean;
  /** Members that were not suppressed at arrival, where it is no group yet. */
  readonly openers: number;
}

/** Two sides that a link would make one. `at` is the time of the linked event on each side. */
export interface Meeting {
  readonly link: Link;
  readonly ours: Side & { readonly at: number };
  readonly theirs: Side & { readonly at: number };
}

/** No other strategy alone would join the pair. */
export const restsOnTimeAlone = ({ reasons }: Link, threshold: number): boolean =>
  reasons.every(({ strategy, score }) => strategy === 'temporal' || score <= threshold);

/** The side that starts later joins the other: its linked event must lie near the other's first. Two single events are near by their score. */
const outOfReach = ({ link, ours, theirs }: Meeting, { threshold, strategies, guards }: ResolvedSettings): boolean => {
  if (!guards.temporalReach || !(ours.grouped || theirs.grouped) || !restsOnTimeAlone(link, threshold)) return false;
  const [first, joining] = ours.first <= theirs.first ? [ours.first, theirs.at] : [theirs.first, ours.at];
  return Math.abs(joining - first) > TEMPORAL_REACH * strategies.temporal.windowMs;
};

/** The first guard that keeps the sides apart, or null when they may become one group. */
export function guardAgainst(meeting: Meeting, settings: ResolvedSettings): Guard | null {
  const { ours, theirs } = meeting;
  const { maxSpanMs, maxSize } = settings.guards;
  if (ours.closed || theirs.closed) return 'closed';
  if (Math.max(ours.last, theirs.last) - Math.min(ours.first, theirs.first) > maxSpanMs) return 'span';
  if (ours.size + theirs.size > maxSize) return 'size';
  if (outOfReach(meeting, settings)) return 'temporal_reach';
  if (!ours.grouped && !theirs.grouped && ours.openers + theirs.openers < OPENERS) return 'suppressed';
  return null;
}
