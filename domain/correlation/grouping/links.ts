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

type LinkDraft = Omit<Link, 'reasons'> & { score: number; literalScore: number; reasons: readonly Reason[] };

/** Returns a copy of the exact length: most pairs have one reason, and a growing list allocates room for seventeen. */
const withReason = (reasons: readonly Reason[], reason: Reason): readonly Reason[] => {
  const [first] = reasons;
  // Nearly all with several reasons have two, and sorting two is ten times as slow.
  if (reasons.length === 1 && first !== undefined)
    return first.score < reason.score ? [reason, first] : [first, reason];
  return [...reasons, reason].sort(byScore);
};

/**
 * Adds a reason to a pair: the maximum of the scores, all reasons, best first; equal scores retain their order of
 * arrival.
 */
const addReason = (link: LinkDraft, reason: Reason): void => {
  link.reasons = withReason(link.reasons, reason);
  if (reason.score > link.score) link.score = reason.score;
  if (reason.literalScore > link.literalScore) link.literalScore = reason.literalScore;
};

/** Reason of a link that a user set without a reason. */
export const SET_BY_HAND = 'set_by_hand';

/** Manual links set together have one reason, which is stored with one of them. */
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
  const links = new Map<string, LinkDraft>();
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
/** Required links as a share of the smaller group's members, and at least two. */
const WITNESSES = 0.3;

/** Returns the number of arrivals that must link two groups of these sizes before they become one. */
export const requiredLinks = (size: number, other: number): number => {
  const smaller = Math.min(size, other);
  return smaller < LARGE ? 1 : Math.max(2, WITNESSES * smaller);
};

/** Explanations of why a guard separates two sides. */
export const GUARD_REASONS: Readonly<Record<Guard, string>> = {
  apart: 'they were split, manually or because of two root causes',
  closed: 'the group was already closed (no new events within the longest window)',
  ended: 'all events of the group had ended before this event started',
  span: 'the group would exceed the maximum duration',
  size: 'the group would exceed the maximum size',
  temporal_reach: "matched by time only and too far from the group's first event",
  suppressed: "suppressed events can join groups but can't start one",
  witnesses: `merging groups of ${LARGE}+ events needs at least two linking events, or ${100 * WITNESSES}% of the smaller group`,
  causes: 'each group has its own root cause and neither is upstream of the other',
};

/** A group, a group in the making, or one event alone. Times in ms. */
export interface GroupSide {
  readonly closed: boolean;
  readonly first: number;
  readonly last: number;
  readonly size: number;
  /** True if it is a group, or becomes one by this decision. */
  readonly grouped: boolean;
  /** Members that were not suppressed at arrival, where it is no group yet. */
  readonly openers: number;
}

/** Two sides that a link would make one. `at` is the time of the linked event on each side. */
export interface MergeCandidate {
  readonly link: Link;
  readonly ours: GroupSide & { readonly at: number };
  readonly theirs: GroupSide & { readonly at: number };
}

/** No other strategy alone would join the pair. */
export const restsOnTimeAlone = ({ reasons }: Link, threshold: number): boolean =>
  reasons.every(({ strategy, score }) => strategy === temporal.name || score <= threshold);

/**
 * True if the later side is out of reach of the other: its linked event must be near the other's first. Two single
 * events are near by their score.
 */
const outOfReach = ({ link, ours, theirs }: MergeCandidate, settings: ResolvedSettings): boolean => {
  const { threshold, guards } = settings;
  if (!guards.temporalReach || !(ours.grouped || theirs.grouped) || !restsOnTimeAlone(link, threshold)) return false;
  const [first, joining] = ours.first <= theirs.first ? [ours.first, theirs.at] : [theirs.first, ours.at];
  return Math.abs(joining - first) > TEMPORAL_REACH * ownSettings(temporal, settings).windowMs;
};

/** Returns the first guard that separates the sides, or null when they may become one group. */
export function guardAgainst(meeting: MergeCandidate, settings: ResolvedSettings): Guard | null {
  const { ours, theirs } = meeting;
  const { maxSpanMs, maxSize } = settings.guards;
  if (ours.closed || theirs.closed) return 'closed';
  if (Math.max(ours.last, theirs.last) - Math.min(ours.first, theirs.first) > maxSpanMs) return 'span';
  if (ours.size + theirs.size > maxSize) return 'size';
  if (outOfReach(meeting, settings)) return 'temporal_reach';
  if (!ours.grouped && !theirs.grouped && ours.openers + theirs.openers < OPENERS) return 'suppressed';
  return null;
}
