import type { NearCi } from '#domain/topology/near.ts';
import type { Enriched } from '../records.ts';

/** Returns the CIs on a shortest path, both ends included, from the `via` pointers; empty when there is none. */
export function wayTo(from: string | null, to: string | null, near: readonly NearCi[]): string[] {
  if (from === null || to === null) return [];
  const way: string[] = [];
  let at: string | null = to;
  while (at !== null && at !== from) {
    if (way.length > near.length) return [];
    way.unshift(at);
    const step: NearCi | undefined = near.find(({ ci }) => ci === at);
    if (step === undefined) return [];
    at = step.via;
  }
  return [from, ...way];
}

/**
 * The same over critical edges alone. Neighbors store its length and not its steps: empty where the order of the CIs is
 * unknown.
 */
export function criticalWayTo({ arrival: { ciId }, near, truncated }: Enriched, to: string | null): string[] {
  const hops = near.find(({ ci }) => ci === to)?.criticalHops ?? 0;
  if (ciId === null || to === null || hops === 0) return [];
  const way = [to];
  for (let at = hops - 1; at > 0; at--) {
    const [before, another] = near.filter(({ criticalHops }) => criticalHops === at);
    if (truncated || before === undefined || another !== undefined) return [];
    way.unshift(before.ci);
  }
  return [ciId, ...way];
}
