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

/** One pair: the maximum of the scores, all reasons, best first; equal scores keep the order given. */
export function linkOf(other: string, reasons: readonly Reason[]): Link {
  const sorted = reasons.toSorted((a, b) => b.score - a.score);
  const literalScore = sorted.reduce((highest, reason) => Math.max(highest, reason.literalScore), 0);
  return { other, score: sorted[0]?.score ?? 0, literalScore, reasons: sorted };
}

/** All pairs of one arrival (specification, "Merging and assignment" 1), best first; ties by event id. */
export function linksOf(findings: readonly Findings[]): Link[] {
  const reasons = new Map<string, Reason[]>();
  for (const { strategy, hits } of findings)
    for (const hit of hits) {
      const known = reasons.get(hit.other);
      if (known) known.push(reasonOf(strategy, hit));
      else reasons.set(hit.other, [reasonOf(strategy, hit)]);
    }
  const links = [...reasons].map(([other, all]) => linkOf(other, all));
  return links.sort((a, b) => b.score - a.score || (a.other < b.other ? -1 : 1));
}
