import type { Failures } from './pairs.ts';

/** Chances without a spread failure after which a relationship is doubtful. */
export const MIN_CHANCES = 8;
/** Minimum rate at which a failure spreads over a true relationship. */
const USUAL_TRAVEL = 0.3;

/** The source needs the target. */
export interface TravelledEdge {
  readonly id: string;
  readonly source: string;
  readonly target: string;
}

export interface Travels<E> {
  readonly edge: E;
  /** Failures of the target, and those of them at which the source failed too. */
  readonly chances: number;
  readonly travelled: number;
  /** That a relationship that holds would have shown itself, 0 to 1. */
  readonly confidence: number;
}

/** Counts the failures of each CI, in incidents and alone. */
export const failedOften = ({ incidents, alone }: Failures): ReadonlyMap<string, number> => {
  const counts = new Map(alone);
  for (const { cis } of incidents) for (const ci of cis) counts.set(ci, (counts.get(ci) ?? 0) + 1);
  return counts;
};

/**
 * Returns edges over which no failure spread although it could; a source that never failed proves nothing, it may be
 * unmonitored.
 */
export function doubtfulEdges<E extends TravelledEdge>(edges: readonly E[], failures: Failures): Travels<E>[] {
  const counts = failedOften(failures);
  return edges.flatMap((edge) => {
    const chances = counts.get(edge.target) ?? 0;
    if (chances < MIN_CHANCES || (counts.get(edge.source) ?? 0) === 0) return [];
    const together = failures.incidents.filter(({ cis }) => cis.has(edge.target) && cis.has(edge.source));
    if (together.length > 0) return [];
    return [{ edge, chances, travelled: 0, confidence: 1 - (1 - USUAL_TRAVEL) ** chances }];
  });
}
