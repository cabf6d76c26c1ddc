import type { Decision, Guard, Hit, ResolvedSettings } from '#domain/correlation/records.ts';
import { ownSettings } from '#domain/correlation/settings/tenant-settings.ts';
import { temporal } from '#domain/correlation/strategies/temporal.ts';
import type { Link, Reason } from '#domain/event/incoming.ts';

/** The hits of one strategy for one arrival. */
export interface StrategyFindings {
  readonly strategy: string;
  readonly hits: readonly Hit[];
}

const reasonOf = (strategy: string, { score, literalScore, reason, details }: Hit): Reason => ({
  strategy,
  score,
  literalScore,
  reason,
  details,
});

const byScore = (a: Reason, b: Reason): number => b.score - a.score;

type Growing = Omit<Link, 'reasons'> & { score: number; literalScore: number; reasons: readonly Reason[] };

/** A copy of the exact length: most pairs have one reason, and a list that grows takes room for seventeen. */
const withReason = (reasons: readonly Reason[], reason: Reason): readonly Reason[] => {
  const [first] = reasons;
  // Nearly all that have several have two, and sorting two takes ten times as long.
  if (reasons.length === 1 && first !== undefined)
    return first.score < reason.score ? [reason, first] : [first, reason];
  return [...reasons, reason].sort(byScore);
};

/** One pair: the maximum of the scores, all reasons, best first; equal scores keep the order in which they come. */
const addReason = (link: Growing, reason: Reason): void => {
  link.reasons = withReason(link.reasons, reason);
  if (reason.score > link.score) link.score = reason.score;
  if (reason.literalScore > link.literalScore) link.literalScore = reason.literalScore;
};

/** Reason of a link that a person set without saying why. */
export const SET_BY_HAND = 'set_by_hand';

/** Links set by hand at once have one reason, which is kept with one of them. */
export function sharingReason({ manual, accepted }: Pick<Decision, 'manual' | 'accepted'>): readonly Link[] {
  const reasons = accepted.flatMap((link) => link.reasons);
  const said = manual ? reasons.find(({ reason }) => reason !== SET_BY_HAND)?.reason : undefined;
  if (said === undefined) return accepted;
  return accepted.map((link) => ({ ...link, reasons: link.reasons.map((one) => ({ ...one, reason: said })) }));
}

/** Best first; ties by event id. */
export const bestFirst = (a: Link, b: Link): number => b.score - a.score || (a.other < b.other ? -1 : 1);

/** All pairs of one arrival that score more than `above` (docs/specification.md §7), best first. */
export function linksOf(findings: readonly StrategyFindings[], above = 0): Link[] {
  const links = new Map<string, Growing>();
  for (const { strategy, hits } of findings)
    for (const hit of hits) {
      const { other, score, literalScore } = hit;
      const reason = reasonOf(strategy, hit);
      const link = links.get(other);
      if (link === undefined) links.set(other, { other, score, literalScore, reasons: [reason] });
      else addReason(link, reason);
    }
  const found: Link[] = [];
  for (const link of links.values()) if (link.score > above) found.push(link);
  return found.sort(bestFirst);
}

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
