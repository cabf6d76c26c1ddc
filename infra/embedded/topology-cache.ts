/** The latest answers about the topology around CIs, each with the span of times for which it holds. */
import type { ArrivalTopology } from '#domain/ports/topology-store.ts';
import type { Era } from '#domain/topology/edges.ts';

const MAX_CIS = 20_000;
/** CIs named in all answers together; about 60 bytes each. */
const MAX_NAMED = 400_000;

interface Answer {
  readonly era: Era;
  readonly topology: ArrivalTopology;
}

export interface AroundCache {
  get(node: number, at: number): ArrivalTopology | undefined;
  put(node: number, era: Era, topology: ArrivalTopology): void;
  clear(): void;
}

const named = ({ near, upstream, chain }: ArrivalTopology): number => 1 + near.length + upstream.length + chain.length;

/** Least recently used first; one answer per CI. */
export function aroundCache(): AroundCache {
  const answers = new Map<number, Answer>();
  let weight = 0;
  const drop = (node: number): void => {
    const known = answers.get(node);
    if (known === undefined) return;
    weight -= named(known.topology);
    answers.delete(node);
  };
  return {
    get(node, at) {
      const known = answers.get(node);
      if (known === undefined || at < known.era.from || at >= known.era.to) return undefined;
      answers.delete(node);
      answers.set(node, known);
      return known.topology;
    },
    put(node, era, topology) {
      drop(node);
      answers.set(node, { era, topology });
      weight += named(topology);
      while (answers.size > MAX_CIS || weight > MAX_NAMED) drop(answers.keys().next().value!);
    },
    clear() {
      answers.clear();
      weight = 0;
    },
  };
}
