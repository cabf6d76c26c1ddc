/**
 * Answers about the topology around CIs, each with the span of times for which it holds. Only what is put a second time is kept for long: most
 * of what a storm asks it asks once, and what lives long costs the garbage collector most.
 */
import type { ArrivalTopology } from '#domain/ports/topology-store.ts';
import type { Era } from '#domain/topology/edges.ts';
import { Recent } from './recent.ts';

const MAX_CIS = 20_000;
/** CIs named in all answers of all tenants together; about 60 bytes each. */
const MAX_NAMED = 1_000_000;
/** Answers kept whoever asks again. */
const MAX_LATEST = 64;
/** CIs of which it is known that they were asked for; about 40 bytes each. */
const MAX_ASKED = 100_000;

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

/** At the least, so that there are no more than MAX_CIS. */
const LIGHTEST = MAX_NAMED / MAX_CIS;

/** Answers of all caches of the process by cache and node: tenants that are busy get the room. */
const answers = new Recent<number, Answer>(MAX_NAMED, ({ topology }) => Math.max(LIGHTEST, named(topology)));
const latest = new Recent<number, Answer>(MAX_LATEST, () => 1);
const NODES = 2 ** 31;
let asked = new Set<number>();
let caches = 0;

/** True from the second time on. */
const isAskedAgain = (key: number): boolean => {
  if (asked.has(key)) return true;
  if (asked.size >= MAX_ASKED) asked = new Set();
  asked.add(key);
  return false;
};

/** One answer per CI. */
export function aroundCache(): AroundCache {
  const cache = caches++;
  let cleared = 0;
  return {
    get(node, at) {
      const key = cache * NODES + node;
      const known = answers.get(key) ?? latest.get(key);
      const holds = known !== undefined && known.cleared === cleared && at >= known.era.from && at < known.era.to;
      return holds ? known.topology : undefined;
    },
    put(node, era, topology) {
      const key = cache * NODES + node;
      (isAskedAgain(key) ? answers : latest).set(key, { cleared, era, topology });
    },
    clear() {
      cleared += 1;
    },
  };
}
