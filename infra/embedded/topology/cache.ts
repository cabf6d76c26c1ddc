/**
 * Answers about the topology around CIs, each with the times for which it is valid. Only entries put a second time are
 * cached for long: long lives cost the garbage collector most.
 */

import { Lru } from '#domain/lru.ts';
import type { ArrivalTopologyNodes } from '#domain/topology/graph/arrival-topology.ts';
import type { Era } from '#domain/topology/graph/edges.ts';
import type { ArrivalTopology } from '#domain/topology/near.ts';

const MAX_CIS = 20_000;
/** CIs named in all answers of all tenants together; about 60 bytes each. */
const MAX_NAMED = 1_000_000;
/** Recent answers cached regardless of repetition. */
const MAX_LATEST = 64;
/** Maximum of CIs with a recorded request; about 120 bytes each. */
const MAX_ASKED = 100_000;

/** Lists of surroundings as nodes, and the ids of all nodes of their graph. */
export interface NodesOfLists extends ArrivalTopologyNodes {
  readonly ids: readonly string[];
}
/**
 * The time in which a CI's surroundings stay unchanged: all answers about it are equal, also ones evicted meanwhile.
 */
interface Validity {
  /** Generation of the cache; entries of older generations are evicted lazily. */
  readonly cleared: number;
  readonly era: Era;
  /** Nodes of its first answer; null when they are no longer needed. */
  nodes: NodesOfLists | null;
}
interface Answer {
  readonly validity: Validity;
  readonly topology: ArrivalTopology;
}

export interface AroundCache {
  get(node: number, at: number): ArrivalTopology | undefined;
  put(node: number, era: Era, topology: ArrivalTopology, nodes?: NodesOfLists): void;
  clear(): void;
}

const named = ({ near, upstream, chain }: ArrivalTopology): number => 1 + near.length + upstream.length + chain.length;

/** Minimum weight, so that there are no more than MAX_CIS. */
const LIGHTEST = MAX_NAMED / MAX_CIS;

/** Keys are numbers: of a cache and of a node. */
const NODES = 2 ** 31;

/** Returns the same object for equal surroundings, by their list `near`; undefined for those from elsewhere. */
export type ValidityOf = (near: ArrivalTopology['near']) => Validity | undefined;

/** The caches of all tenants, which share their bounds: busy tenants get the room. */
export interface AroundCaches {
  /** A cache of its own for one tenant: one answer per CI. */
  open(): AroundCache;
  readonly validityOf: ValidityOf;
}

const isSame = (a: Validity, b: Validity): boolean =>
  a.cleared === b.cleared && a.era.from === b.era.from && a.era.to === b.era.to;

export function openAroundCaches(): AroundCaches {
  const answers = new Lru<number, Answer>(MAX_NAMED, ({ topology }) => Math.max(LIGHTEST, named(topology)));
  const latest = new Lru<number, Answer>(MAX_LATEST, () => 1);
  /** Last validity by cache and node. */
  let asked = new Map<number, Validity>();
  const validities = new WeakMap<ArrivalTopology['near'], Validity>();
  let caches = 0;

  const noteAsked = (key: number, validity: Validity): void => {
    if (asked.size >= MAX_ASKED && !asked.has(key)) asked = new Map();
    asked.set(key, validity);
  };
  const open = (): AroundCache => {
    const cache = caches++;
    let cleared = 0;
    return {
      get(node, at) {
        const key = cache * NODES + node;
        const known = answers.get(key) ?? latest.get(key);
        if (known === undefined) return undefined;
        const { validity, topology } = known;
        return validity.cleared === cleared && at >= validity.era.from && at < validity.era.to ? topology : undefined;
      },
      put(node, era, topology, nodes) {
        const key = cache * NODES + node;
        const before = asked.get(key);
        const now: Validity = { cleared, era, nodes: nodes ?? null };
        const validity = before !== undefined && isSame(before, now) ? before : now;
        if (validity !== before) noteAsked(key, validity);
        validities.set(topology.near, validity);
        (before === undefined ? latest : answers).set(key, { validity, topology });
      },
      clear() {
        cleared += 1;
      },
    };
  };
  return { open, validityOf: (near) => validities.get(near) };
}
