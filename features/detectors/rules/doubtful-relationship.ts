import type { NamedCi } from '#features/ai/rules/findings.ts';
import { confident, type Finding } from './finding.ts';
import { LEAST_CHANCES, type TravelledEdge, type Travels } from './together/doubtful.ts';

/** A relationship with both of its ends. */
export interface NamedEdge extends TravelledEdge {
  readonly type: string;
  readonly from: NamedCi;
  readonly to: NamedCi;
}

/** Relationships that no failure ever went along. */
export const detectDoubtful = (seen: readonly Travels<NamedEdge>[], days: number): Finding[] =>
  seen.map(({ edge, chances, confidence }) => {
    const { id, type, from, to } = edge;
    const label = `${from.name} ${type} ${to.name}`;
    return {
      kind: 'doubtful-relationship',
      subject: id,
      severity: 'info',
      title: `${label} is doubtful`,
      detail: `${to.name} failed ${chances} times in ${days} days, and ${from.name}, which is said to need it, failed with it at none of them.`,
      recommendation: `See whether ${from.name} still needs ${to.name}: if not, remove the relationship; if something stands in for it, say so with a redundancy group.`,
      metric: { name: 'failures that did not travel', value: chances, unit: 'count', threshold: LEAST_CHANCES },
      confidence: confident(confidence),
      ciIds: [from.id, to.id],
      cite: (findings) => [
        findings.add({
          kind: 'relationship',
          id,
          label,
          facts: [
            { name: 'failures', value: chances },
            { name: 'days', value: days },
          ],
        }),
        findings.ci(to),
      ],
    } satisfies Finding;
  });
