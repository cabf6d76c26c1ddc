import type { NamedCi } from '#features/ai/rules/findings.ts';
import { MIN_CHANCES, type TravelledEdge, type Travels } from './co-failure/doubtful.ts';
import { confident, type Finding } from './finding.ts';

/** A relationship with both of its ends. */
export interface NamedEdge extends TravelledEdge {
  readonly type: string;
  readonly from: NamedCi;
  readonly to: NamedCi;
}

/** Finds relationships over which no failure ever spread. */
export const detectDoubtful = (seen: readonly Travels<NamedEdge>[], days: number): Finding[] =>
  seen.map(({ edge, chances, confidence }) => {
    const { id, type, from, to } = edge;
    const label = `${from.name} ${type} ${to.name}`;
    return {
      kind: 'doubtful-relationship',
      subject: id,
      severity: 'info',
      title: `Questionable relationship: ${label}`,
      detail: `${to.name} failed ${chances} times in ${days} days, but ${from.name}, recorded as dependent, never failed with it.`,
      recommendation: `Check whether ${from.name} still depends on ${to.name}. If not, remove the relationship; if it is redundant, add a redundancy group.`,
      metric: { name: 'failures not propagated', value: chances, unit: 'count', threshold: MIN_CHANCES },
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
