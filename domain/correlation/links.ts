import type { Link, Reason } from '#domain/event/incoming.ts';
import type { Hit } from './records.ts';
import type { StrategyName } from './settings.ts';

/** What one strategy found for one arrival. */
export interface Findings {
  readonly strategy: StrategyName;
  readonly hits: readonly Hit[];
}

const reasonOf = (strategy: StrategyName, { score, literalScore, reason, details }: Hit): Reason => ({
  strategy,
  score,
  literalScore,
  reason,
  details,
});

const byScore = (a: Reason, b: Reason): number => b.score - a.score;

/** One pair: the maximum of the scores, all reasons, best first; equal scores keep the order given. */
export function linkOf(other: string, reasons: readonly Reason[]): Link {
  const sorted = reasons.length > 1 ? reasons.toSorted(byScore) : reasons;
  let literalScore = 0;
  for (const reason of sorted) if (reason.literalScore > literalScore) literalScore = reason.literalScore;
  return { other, score: sorted[0]?.score ?? 0, literalScore, reasons: sorted };
}

/** All pairs of one arrival (specification, "Merging and assignment" 1), best first; ties by event id. */
export function linksOf(findings: readonly Findings[]): Link[] {
  const reasons = new Map<string, readonly Reason[]>();
  for (const { strategy, hits } of findings)
    for (const hit of hits) {
      const known = reasons.get(hit.other);
      const reason = reasonOf(strategy, hit);
      // A copy of the exact length: most pairs have one reason, and a list that grows takes room for seventeen.
      reasons.set(hit.other, known === undefined ? [reason] : [...known, reason]);
    }
  const links: Link[] = [];
  for (const [other, all] of reasons) links.push(linkOf(other, all));
  return links.sort((a, b) => b.score - a.score || (a.other < b.other ? -1 : 1));
}
