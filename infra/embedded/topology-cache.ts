/** The latest answers about the topology around CIs, each with the span of times for which it holds. */
import type { ArrivalTopology } from '#domain/ports/topology-store.ts';
import type { Era } from '#domain/topology/edges.ts';

const MAX_CIS = 20_000;
/** CIs named in all answers of all tenants together; about 60 bytes each. */
const MAX_NAMED = 1_000_000;

interface Answer {
  /** How often its cache had been cleared; what stood before a clearing leaves in its turn. */
  readonly cleared: number;
  readonly era: Era;
  readonly topology: ArrivalTopology;
}

export interface AroundCache {
  get(node: number, at: number): ArrivalTopology | undefined;
  put(node: number, era: Era, topology: ArrivalTopology): void;
  clear(): void;
}

const named = ({ near, upstream, chain }: ArrivalTopology): number => 1 + near.length + upstream.length + chain.length;

/** Answers of all caches of the process by cache and node, least recently used first: tenants that are busy get the room. */
const answers = new Map<number, Answer>();
const NODES = 2 ** 31;
let weight = 0;
let caches = 0;

const drop = (key: number): void => {
  const known = answers.get(key);
  if (known === undefined) return;
  weight -= named(known.topology);
  answers.delete(key);
};

/** One answer per CI. */
export function aroundCache(): AroundCache {
  const cache = caches++;
  let cleared = 0;
  return {
    get(node, at) {
      const key = cache * NODES + node;
      const known = answers.get(key);
      if (known === undefined || known.cleared !== cleared || at < known.era.from || at >= known.era.to)
        return undefined;
      answers.delete(key);
      answers.set(key, known);
      return known.topology;
    },
    put(node, era, topology) {
      const key = cache * NODES + node;
      drop(key);
      answers.set(key, { cleared, era, topology });
      weight += named(topology);
      while (answers.size > MAX_CIS || weight > MAX_NAMED) drop(answers.keys().next().value!);
    },
    clear() {
      cleared += 1;
    },
  };
}
