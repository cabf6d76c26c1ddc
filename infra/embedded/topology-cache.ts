/**
 * Answers about the topology around CIs, each with the span of times for which it holds. Only what is put a second time is kept for long: most
 * of what a storm asks it asks once, and what lives long costs the garbage collector most.
 */
import type { ArrivalTopology } from '#domain/ports/topology-store.ts';
import type { Era } from '#domain/topology/edges.ts';

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

/** Answers of all caches of the process by cache and node, least recently used first: tenants that are busy get the room. */
const answers = new Map<number, Answer>();
const NODES = 2 ** 31;
const latest = new Map<number, Answer>();
let asked = new Set<number>();
let weight = 0;
let caches = 0;

const drop = (key: number): void => {
  const known = answers.get(key);
  if (known === undefined) return;
  weight -= named(known.topology);
  answers.delete(key);
};

/** True from the second time on. */
const isAskedAgain = (key: number): boolean => {
  if (asked.has(key)) return true;
  if (asked.size >= MAX_ASKED) asked = new Set();
  asked.add(key);
  return false;
};

const keep = (key: number, answer: Answer): void => {
  drop(key);
  answers.set(key, answer);
  weight += named(answer.topology);
  while (answers.size > MAX_CIS || weight > MAX_NAMED) drop(answers.keys().next().value!);
};

const keepShortly = (key: number, answer: Answer): void => {
  latest.set(key, answer);
  if (latest.size > MAX_LATEST) latest.delete(latest.keys().next().value!);
};

/** One answer per CI. */
export function aroundCache(): AroundCache {
  const cache = caches++;
  let cleared = 0;
  return {
    get(node, at) {
      const key = cache * NODES + node;
      const kept = answers.get(key);
      const known = kept ?? latest.get(key);
      if (known === undefined || known.cleared !== cleared || at < known.era.from || at >= known.era.to)
        return undefined;
      if (kept !== undefined) {
        answers.delete(key);
        answers.set(key, kept);
      }
      return known.topology;
    },
    put(node, era, topology) {
      const key = cache * NODES + node;
      (isAskedAgain(key) ? keep : keepShortly)(key, { cleared, era, topology });
    },
    clear() {
      cleared += 1;
    },
  };
}
