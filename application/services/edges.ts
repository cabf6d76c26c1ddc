import { Fault } from '#domain/fault.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { slices } from '#domain/slices.ts';
import type { Direction, Relationship } from '#domain/topology/topology.ts';
import { CAUSE_TYPES, DEPENDENCY_TYPES } from '#domain/topology/topology.ts';

/** Maximum of CIs around one component. */
const LIMIT = 1_000;
/** Neighborhoods requested at the same time. */
const AT_ONCE = 16;

interface WalkReach {
  readonly direction: Direction;
  readonly hops: number;
  /** Relationships over which a fault spreads: `cause` adds power and location to dependencies. */
  readonly over: 'dependency' | 'cause';
}

/** Relationships around these CIs, each once. A component whose CI was deleted has none. */
export const edgesAround = async (
  { graph }: Pick<Ports, 'graph'>,
  tenant: string,
  ciIds: Iterable<string>,
  { direction, hops, over }: WalkReach,
): Promise<readonly Relationship[]> => {
  const options = { direction, hops, limit: LIMIT, types: over === 'cause' ? CAUSE_TYPES : DEPENDENCY_TYPES };
  const around = async (ciId: string): Promise<readonly Relationship[]> => {
    try {
      return (await graph.neighbourhood(tenant, ciId, options)).edges;
    } catch (error) {
      if (error instanceof Fault && error.kind === 'not-found') return [];
      throw error;
    }
  };
  const edges = new Map<string, Relationship>();
  const ids = [...new Set(ciIds)];
  for (const some of slices(ids, AT_ONCE)) {
    const found = await Promise.all(some.map(around));
    for (const edge of found.flat()) edges.set(edge.id, edge);
  }
  return [...edges.values()];
};
