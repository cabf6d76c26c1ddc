import type { Findings, NamedCi } from '#features/ai/rules/findings.ts';
import { confident, type Finding } from './finding.ts';
import type { FollowingPair } from './together/direction.ts';
import { LEAST_TOGETHER } from './together/pairs.ts';

const MINUTE_MS = 60_000;

/** Two CIs of which one fails after the other, and no way of relationships between them. */
export interface UnrelatedPair {
  readonly pair: FollowingPair;
  readonly first: NamedCi;
  readonly second: NamedCi;
  readonly days: number;
}

const minutes = (ms: number): string =>
  ms < 2 * MINUTE_MS ? `${Math.round(ms / 1_000)} s` : `${Math.round(ms / MINUTE_MS)} min`;

/** `web-1 failed in 6 incidents of 90 days together with db-1, 6 of 6 times after it, 3 min later in the middle; chance would bring 0.2.` */
export const sayFailsAfter = ({ pair, first, second, days }: UnrelatedPair): string => {
  const { together, inOrder, ordered, lagMs, expected } = pair;
  return `${second.name} failed in ${together.length} incidents of ${days} days together with ${first.name}, ${inOrder} of ${ordered} times after it, ${minutes(lagMs)} later in the middle; chance would bring ${expected.toFixed(1)}.`;
};

/** Both CIs, with what was counted. */
export const citeFailsAfter = ({ pair, first, second, days }: UnrelatedPair, findings: Findings): (string | null)[] => {
  const facts = [
    { name: 'incidents together', value: pair.together.length },
    { name: 'in this order', value: pair.inOrder },
    { name: 'with an order', value: pair.ordered },
    { name: 'expected by chance', value: Math.round(10 * pair.expected) / 10 },
    { name: 'lagMs', value: Math.round(pair.lagMs) },
    { name: 'days', value: days },
  ];
  return [findings.ci(second, facts), findings.ci(first)];
};

/** A lesson of incidents: the second CI seems to need the first, and the map does not say so. */
export const detectFailsAfter = (seen: readonly UnrelatedPair[]): Finding[] =>
  seen.map((one) => {
    const { pair, first, second } = one;
    return {
      kind: 'missing-relationship',
      subject: `${second.id} ${first.id}`,
      severity: 'major',
      title: `${second.name} seems to depend on ${first.name}`,
      detail: sayFailsAfter(one),
      recommendation: `Record that ${second.name} depends on ${first.name}, or propose it: POST /api/ai/discover-relationships with sources ["incidents"] and store true.`,
      metric: { name: 'incidents together', value: pair.together.length, unit: 'count', threshold: LEAST_TOGETHER },
      confidence: confident(pair.confidence),
      ciIds: [first.id, second.id],
      cite: (findings) => citeFailsAfter(one, findings),
    } satisfies Finding;
  });
