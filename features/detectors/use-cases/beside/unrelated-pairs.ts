import type { TimedContext } from '#application/access/context.ts';
import type { Group } from '#domain/correlation/records.ts';
import type { Ends } from '#domain/ports/topology/topology-queries.ts';
import { slices } from '#domain/slices.ts';
import type { NamedCi } from '#features/ai/rules/findings.ts';
import { type FollowingPair, followingPairs, type LaggedPair } from '#features/detectors/rules/co-failure/direction.ts';
import { type Pair, pairsOf } from '#features/detectors/rules/co-failure/pairs.ts';
import type { UnrelatedPair } from '#features/detectors/rules/fails-after.ts';
import { type LoadedFailures, SEVERE } from './load-failures.ts';
import { SPAN_DAYS } from './newest-groups.ts';

/** Incidents of which the events are read, and how many of these at once; pages of each read. */
const MAX_INCIDENTS = 300;
const INCIDENTS_AT_ONCE = 25;
const PAGE = 500;
const PAGES = 4;
/** CIs with a path of this number of relationships between them need no further one. */
const MAX_HOPS = 3;
/** Pairs that are looked up on the map, the surest. */
const MAX_PAIRS = 30;
const AT_ONCE = 8;

/** Returns the first failure of each of these CIs by incident, ms. */
async function firstFailures(
  { tenant, ports }: TimedContext,
  groups: readonly Group[],
  ciIds: readonly string[],
): Promise<ReadonlyMap<string, ReadonlyMap<string, number>>> {
  const times = new Map<string, Map<string, number>>();
  for (const some of slices(groups, INCIDENTS_AT_ONCE)) {
    const standing = new Map(some.flatMap(({ id, aliases }) => [id, ...aliases].map((one) => [one, id] as const)));
    const filter = { ciId: ciIds, severities: SEVERE, correlationIds: [...standing.keys()] };
    let cursor: string | null = null;
    for (let page = 0; page < PAGES; page++) {
      const read: Awaited<ReturnType<typeof ports.events.part>> = await ports.events.part(tenant, filter, {
        sort: 'timestamp',
        order: 'asc',
        limit: PAGE,
        ...(cursor !== null && { cursor }),
      });
      for (const { correlationId, ci, firstOccurrence } of read.items) {
        const id = standing.get(correlationId ?? '');
        if (id === undefined || ci === null) continue;
        const of = times.get(id) ?? new Map<string, number>();
        times.set(id, of.set(ci.id, Math.min(firstOccurrence, of.get(ci.id) ?? Infinity)));
      }
      cursor = read.nextCursor;
      if (cursor === null) break;
    }
  }
  return times;
}

/** The pairs with their lags, as far as incidents are read: those of the surest pairs first. */
async function lagged(asking: TimedContext, pairs: readonly Pair[], groups: LoadedFailures['groups']) {
  const ids = [...new Set(pairs.flatMap(({ together }) => together))].slice(0, MAX_INCIDENTS);
  const cis = [...new Set(pairs.flatMap(({ a, b }) => [a, b]))];
  const read = ids.flatMap((id) => groups.get(id) ?? []);
  const times = await firstFailures(asking, read, cis);
  return pairs.map((pair): LaggedPair => {
    const lags = pair.together.flatMap((id) => {
      const [a, b] = [times.get(id)?.get(pair.a), times.get(id)?.get(pair.b)];
      return a === undefined || b === undefined ? [] : [b - a];
    });
    return { ...pair, lags };
  });
}

/** Returns pairs without a relationship on the map or a refused one. */
async function unrelated(
  asking: TimedContext,
  pairs: readonly FollowingPair[],
  isRefused: (ends: Ends) => boolean,
): Promise<UnrelatedPair[]> {
  const { tenant, ports } = asking;
  const ids = [...new Set(pairs.flatMap(({ first, second }) => [first, second]))];
  const found = ids.length === 0 ? [] : await ports.topology.getCis(tenant, ids);
  const cis = new Map(found.map(({ id, name, type }): [string, NamedCi] => [id, { id, name, type }]));
  const named = pairs.flatMap((pair) => {
    const [first, second] = [cis.get(pair.first), cis.get(pair.second)];
    const isOpen = !isRefused({ source: pair.second, target: pair.first, type: 'depends_on' });
    return first && second && isOpen ? [{ pair, first, second, days: SPAN_DAYS }] : [];
  });
  const options = { maxHops: MAX_HOPS, direction: 'both' } as const;
  const apart: UnrelatedPair[] = [];
  for (const some of slices(named, AT_ONCE)) {
    const ways = await Promise.all(
      some.map(({ first, second }) => ports.graph.path(tenant, first.id, second.id, options)),
    );
    apart.push(...some.filter((_, i) => ways[i] === null));
  }
  return apart;
}

/** Returns pairs of CIs that fail one after the other without a path between them, the most certain first. */
export async function unrelatedPairs(
  asking: TimedContext,
  loaded: LoadedFailures,
  isRefused: (ends: Ends) => boolean,
): Promise<UnrelatedPair[]> {
  const { pairs, tests } = pairsOf(loaded.failures);
  const following = followingPairs(await lagged(asking, pairs, loaded.groups), tests);
  return unrelated(asking, following.slice(0, MAX_PAIRS), isRefused);
}
