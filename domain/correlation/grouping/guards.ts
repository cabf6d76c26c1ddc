import type { Guard, ResolvedSettings } from '#domain/correlation/records.ts';
import { temporal } from '#domain/correlation/strategies/temporal.ts';
import { ownSettings } from '#domain/correlation/strategy.ts';
import type { Link } from '#domain/event/incoming.ts';

/** Reach of a temporal score above 0.7, as a share of the window. */
export const TEMPORAL_REACH = 0.178;
/** A group starts with this many members that were not suppressed when they arrived. */
const OPENERS = 2;

/** Groups of this many and more become one only on the word of several arrivals. */
const LARGE = 8;
/** As a share of the smaller one's members, and at least two. */
const WITNESSES = 0.3;

/** How many arrivals must link two groups of these sizes before they become one. */
export const witnessesNeeded = (size: number, other: number): number => {
  const smaller = Math.min(size, other);
  return smaller < LARGE ? 1 : Math.max(2, WITNESSES * smaller);
};

/** Why a guard keeps two sides apart, for people. */
export const GUARD_REASONS: Readonly<Record<Guard, string>> = {
  apart: 'a person had split them',
  closed: 'the group had closed: for the largest window nothing had joined it',
  ended: 'all members of the group were over when the event began',
  span: 'the group would last longer than the tenant allows',
  size: 'the group would have more members than the tenant allows',
  temporal_reach: 'nearness in time alone joins only what is near the first event of the group',
  suppressed: 'suppressed events join groups and open none',
  witnesses: `both groups have ${LARGE} members or more, and too few events had linked them by then: two, or ${100 * WITNESSES} % of the smaller one`,
  causes: 'each group has a cause of its own, and neither lies above the other: two faults at one time',
};

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
  reasons.every(({ strategy, score }) => strategy === temporal.name || score <= threshold);

/** The side that starts later joins the other: its linked event must lie near the other's first. Two single events are near by their score. */
const outOfReach = ({ link, ours, theirs }: Meeting, settings: ResolvedSettings): boolean => {
  const { threshold, guards } = settings;
  if (!guards.temporalReach || !(ours.grouped || theirs.grouped) || !restsOnTimeAlone(link, threshold)) return false;
  const [first, joining] = ours.first <= theirs.first ? [ours.first, theirs.at] : [theirs.first, ours.at];
  return Math.abs(joining - first) > TEMPORAL_REACH * ownSettings(temporal, settings).windowMs;
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
