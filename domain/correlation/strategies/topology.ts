import type { Neighbour } from '#domain/topology/near.ts';
import { chance, finding, gapMs, nearCommonnessOf, perMinute, structureRate } from '../calibration.ts';
import type { Arrival, Enriched } from '../records.ts';
import type { Strategy } from '../strategy.ts';
import { unboundWords } from './unbound.ts';
import { criticalWayTo, wayTo } from './way.ts';

/** `hops`: how far away a CI still counts, 1 to 3. */
interface TopologyOwn {
  readonly hops: number;
}

interface Nearness {
  /** Length of the path that counts: the shortest over critical edges alone, else the shortest. */
  readonly hops: number;
  readonly critical: boolean;
}

const SAME_CI: Nearness = { hops: 0, critical: false };

const neighbourOf = (near: readonly Neighbour[], ci: string): Neighbour | undefined => {
  for (const neighbour of near) if (neighbour.ci === ci) return neighbour;
  return undefined;
};

/**
 * Returns the path between the CIs of the two over relationships of any type and direction, or null beyond the hop
 * limit.
 */
function nearnessOf({ arrival, near }: Enriched, other: Arrival, limit: number): Nearness | null {
  if (arrival.ciId === null || other.ciId === null) return null;
  if (arrival.ciId === other.ciId) return SAME_CI;
  const found = neighbourOf(near, other.ciId);
  if (found === undefined || found.hops > limit) return null;
  const { hops, criticalHops } = found;
  return criticalHops > 0 && criticalHops <= limit ? { hops: criticalHops, critical: true } : { hops, critical: false };
}

/** CIs that are as near as this by chance. */
function reachOf({ degree, reach2, reach3 }: Enriched, { hops }: Nearness): number {
  if (hops === 0) return 1;
  if (hops === 1) return 1 + degree;
  return hops === 2 ? reach2 : reach3;
}

const keysNear = (ciId: string, near: readonly Neighbour[], hops: number): string[] => {
  const keys = [ciId];
  for (const neighbour of near) if (neighbour.hops <= hops) keys.push(neighbour.ci);
  return keys;
};

/** Events on CIs that the CMDB relates (docs/specification.md §5). */
export const topology: Strategy<TopologyOwn> = {
  name: 'topology',
  words: {
    label: 'Topology',
    setting: 'Topology',
    by: 'topology',
    help: 'The CIs are related in any direction. Use three hops for a complete, detailed CMDB; one hop if everything connects through a hub.',
  },
  defaults: { enabled: true, windowMs: 600_000, hops: 2 },
  own: { hops: { kind: 'choice', words: 'hops', choices: [1, 2, 3] } },
  keys: ({ ciId }) => (ciId === null ? [] : [ciId]),
  lookup: ({ arrival, near, settings: { candidates } }, { hops }) => ({
    keys: arrival.ciId === null ? [] : keysNear(arrival.ciId, near, hops),
    perKey: candidates.perCi,
    total: candidates.structure,
  }),
  score(arrival, other, { windowMs, hops }) {
    const nearness = nearnessOf(arrival, other, hops);
    if (nearness === null) return null;
    const gap = gapMs(arrival.arrival, other);
    const base = nearness.critical ? 0.9 : 0.7;
    const literal = base * (1 - 0.3 * (gap / windowMs));
    const factor = chance(arrival, other, structureRate(arrival, other, reachOf(arrival, nearness)));
    const reason = nearness.hops === 0 ? 'same_ci' : nearness.critical ? 'critical_neighbour' : 'neighbour';
    return finding(literal, factor, reason, { hops: nearness.hops, critical: nearness.critical, gapMs: gap });
  },
  inputs(arrival, other, { hops }) {
    const nearness = nearnessOf(arrival, other, hops);
    if (nearness === null) return { hops: null, maxHops: hops };
    const path = nearness.critical
      ? criticalWayTo(arrival, other.ciId)
      : wayTo(arrival.arrival.ciId, other.ciId, arrival.near);
    const rate = structureRate(arrival, other, reachOf(arrival, nearness));
    const commonness = nearCommonnessOf(arrival, other);
    return { ...nearness, path, commonness, ratePerMinute: perMinute(arrival, rate) };
  },
  noMatchReason: (a, b) => unboundWords(a, b) ?? 'no path within the hop limit',
};
