import type { Decision, Hit } from '#domain/correlation/records.ts';
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
