/** The same questions answered in the simplest way, for small infrastructures. */
import fc from 'fast-check';
import type { ArrivalTopology, NearCi } from '#domain/topology/near.ts';
import { CAUSE_TYPES, DEPENDENCY_TYPES, type Direction } from '#domain/topology/topology.ts';

export interface Estate {
  readonly cis: readonly string[];
  /** All begin at 100. */
  readonly edges: readonly {
    readonly source: string;
    readonly target: string;
    readonly type: string;
    /** True from 200. */
    readonly criticalLater: boolean;
    readonly removedAt: 300 | 400 | null;
  }[];
}

const TYPES = ['depends_on', 'uses', 'powered_by', 'peers_with'];

/** Up to 9 CIs and 16 relationships. */
export const estates = (): fc.Arbitrary<Estate> => {
  const cis = [...'abcdefghi'];
  const end = fc.constantFrom(...cis);
  const edge = fc.record({
    source: end,
    target: end,
    type: fc.constantFrom(...TYPES),
    criticalLater: fc.boolean(),
    removedAt: fc.constantFrom(300 as const, 400 as const, null),
  });
  return fc
    .uniqueArray(edge, { maxLength: 16, selector: ({ source, target, type }) => `${source}${target}${type}` })
    .map((edges) => ({ cis, edges: edges.filter(({ source, target }) => source !== target) }));
};

interface Question {
  readonly at: number;
  readonly hops: number;
  readonly direction: Direction;
  readonly types?: readonly string[];
  readonly critical?: boolean;
  /** Nothing exists before its creation. */
  readonly literal?: boolean;
}

type Found = [ci: string, hops: number, via: string];

/** Sorted by hops, then id; `via` is the smallest id of a shortest path. */
export function nearestOf(
  estate: Estate,
  start: string,
  { at, hops, direction, types, critical, literal }: Question,
): Found[] {
  const edges = estate.edges.filter(
    (edge) =>
      at < (edge.removedAt ?? Infinity) &&
      !(literal && at < 100) &&
      (types === undefined || types.includes(edge.type)) &&
      (!critical || (edge.criticalLater && at >= 200)),
  );
  const from = (ci: string) =>
    edges.flatMap(({ source, target }) => [
      ...(direction !== 'down' && source === ci ? [target] : []),
      ...(direction !== 'up' && target === ci ? [source] : []),
    ]);
  const found: Found[] = [];
  const seen = new Set([start]);
  let layer = [start];
  for (let hop = 1; hop <= hops; hop++) {
    const next = new Map<string, string>();
    for (const ci of layer) for (const other of from(ci)) if (!seen.has(other) && !next.has(other)) next.set(other, ci);
    layer = [...next.keys()].sort();
    for (const ci of layer) {
      seen.add(ci);
      found.push([ci, hop, next.get(ci)!]);
    }
  }
  return found;
}

const asNear = ([ci, hops, via]: Found): NearCi => ({ ci, hops, via });

export function naiveAround(estate: Estate, ci: string, at: number): ArrivalTopology {
  const walk = (question: Omit<Question, 'at'>) => nearestOf(estate, ci, { at, ...question });
  const near = walk({ hops: 3, direction: 'both' });
  const critical = new Map(walk({ hops: 3, direction: 'both', critical: true }).map(([id, hops]) => [id, hops]));
  const chain = walk({ hops: 3, direction: 'up', types: DEPENDENCY_TYPES });
  const within = (hops: number) => near.filter(([, far]) => far <= hops).length;
  return {
    near: near.map((found) => ({ ...asNear(found), criticalHops: critical.get(found[0]) ?? 0 })),
    truncated: false,
    degree: within(1),
    reach2: within(2),
    reach3: within(3),
    all: estate.cis.length,
    upstream: walk({ hops: 6, direction: 'up', types: CAUSE_TYPES }).map(asNear),
    hasRelationships: near.length > 0,
    above3: chain.length,
    below3: walk({ hops: 3, direction: 'down', types: DEPENDENCY_TYPES }).length,
    chain: chain.map(asNear),
  };
}
