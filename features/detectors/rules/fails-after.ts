import { durationText } from '#domain/numbers.ts';
import type { Findings, NamedCi } from '#features/ai/rules/findings.ts';
import type { FollowingPair } from './co-failure/direction.ts';
import { MIN_TOGETHER } from './co-failure/pairs.ts';
import { confident, type Finding } from './finding.ts';

/** Two CIs of which one fails after the other, without a path of relationships between them. */
export interface UnrelatedPair {
  readonly pair: FollowingPair;
  readonly first: NamedCi;
  readonly second: NamedCi;
  readonly days: number;
}

/** `web-1 failed together with db-1 in 6 groups in 90 days, 6 of 6 times after it (median 3m later); 0.2 expected by chance.` */
export const describeFailsAfter = ({ pair, first, second, days }: UnrelatedPair): string => {
  const { together, inOrder, ordered, lagMs, expected } = pair;
  return `${second.name} failed together with ${first.name} in ${together.length} groups in ${days} days, ${inOrder} of ${ordered} times after it (median ${durationText(lagMs)} later); ${expected.toFixed(1)} expected by chance.`;
};

/** Cites both CIs, with the counts. */
export const citeFailsAfter = ({ pair, first, second, days }: UnrelatedPair, findings: Findings): (string | null)[] => {
  const facts = [
    { name: 'groups together', value: pair.together.length },
    { name: 'in this order', value: pair.inOrder },
    { name: 'with an order', value: pair.ordered },
    { name: 'expected by chance', value: Math.round(10 * pair.expected) / 10 },
    { name: 'lagMs', value: Math.round(pair.lagMs) },
    { name: 'days', value: days },
  ];
  return [findings.ci(second, facts), findings.ci(first)];
};

/** A lesson of incidents: the second CI seems to need the first, and the map lacks the relationship. */
export const detectFailsAfter = (seen: readonly UnrelatedPair[]): Finding[] =>
  seen.map((one) => {
    const { pair, first, second } = one;
    return {
      kind: 'missing-relationship',
      subject: `${second.id} ${first.id}`,
      severity: 'major',
      title: `${second.name} seems to depend on ${first.name}`,
      detail: describeFailsAfter(one),
      recommendation: `Add the relationship "${second.name} depends on ${first.name}", or propose it with POST /api/ai/discover-relationships, sources ["incidents"] and store true.`,
      metric: { name: 'groups together', value: pair.together.length, unit: 'count', threshold: MIN_TOGETHER },
      confidence: confident(pair.confidence),
      ciIds: [first.id, second.id],
      cite: (findings) => citeFailsAfter(one, findings),
    } satisfies Finding;
  });
