import { servicesHit } from '#application/services/services-hit.ts';
import { Fault } from '#domain/fault.ts';
import type { Service } from '#domain/services/service.ts';
import { slices } from '#domain/slices.ts';
import type { Relationship } from '#domain/topology/topology.ts';
import type { NamedCi } from '#features/ai/rules/findings.ts';
import { type DependedOn, detectSinglePoints } from '#features/detectors/rules/single-point.ts';
import { detectStaleCis, STALE_DAYS, type StaleSeen } from '#features/detectors/rules/stale-ci.ts';
import { edgesAround } from '#features/services/use-cases/edges.ts';
import { DAY_MS, type DetectorAsking, type DetectorReading } from './asking.ts';

const NAMED = 5;
/** Services whose components are looked at, the most critical, and their components in all. */
const MOST_SERVICES = 20;
const MOST_COMPONENTS = 100;
/** Hops upstream of components. */
const HOPS = 3;
/** CIs whose failure is reckoned, those that most services need, and CIs with most severe events. */
const MOST_CANDIDATES = 20;
const MOST_SEVERE = 10;
const BELOW = 1_000;
const AT_ONCE = 4;

const RANKS = ['critical', 'high', 'medium', 'low'] as const;
const SEVERE = ['critical', 'major'] as const;

async function seeStale({ tenant, ports, receivedAt, ciIds }: DetectorAsking): Promise<StaleSeen> {
  const before = receivedAt - STALE_DAYS * DAY_MS;
  if (ciIds === null) {
    const page = { sort: 'name', order: 'asc', limit: NAMED } as const;
    const [stale, all] = await Promise.all([
      ports.topology.findCis(tenant, { statuses: ['active'], seenBefore: before }, page),
      ports.counts.cis(tenant),
    ]);
    const cis = stale.items.map(({ id, name, type }) => ({ id, name, type }));
    return { total: stale.total, cis, all };
  }
  const [seen, cis] = await Promise.all([ports.topology.lastSeen(tenant, ciIds), ports.topology.getCis(tenant, ciIds)]);
  const stale = cis.filter(({ id, status }) => status === 'active' && (seen.get(id) ?? Infinity) < before);
  return { total: stale.length, cis: stale.slice(0, NAMED), all: cis.length };
}

/** How many of the services lose a component, or what a component needs, with each CI. */
function needed(services: readonly Service[], edges: readonly Relationship[]): ReadonlyMap<string, number> {
  const ways = Map.groupBy(edges, ({ source }) => source);
  const counts = new Map<string, number>();
  for (const { components } of services) {
    const reached = new Set(components.map(({ ciId }) => ciId));
    let layer = [...reached];
    for (let hop = 0; hop < HOPS && layer.length > 0; hop++) {
      const next = layer.flatMap((ci) => (ways.get(ci) ?? []).map(({ target }) => target));
      layer = [...new Set(next)].filter((ci) => !reached.has(ci));
      for (const ci of layer) reached.add(ci);
    }
    for (const ci of reached) counts.set(ci, (counts.get(ci) ?? 0) + 1);
  }
  return counts;
}

async function servicesOf({ tenant, ports, receivedAt, ciIds }: DetectorAsking): Promise<Service[]> {
  const byCi = await ports.memory.services.of(tenant, receivedAt);
  const wanted = ciIds === null ? [...byCi.values()] : ciIds.map((id) => byCi.get(id) ?? []);
  const services = [...new Set(wanted.flat())];
  return services.sort((a, b) => RANKS.indexOf(a.criticality) - RANKS.indexOf(b.criticality) || (a.id < b.id ? -1 : 1));
}

/** CIs that may be single points of failure: those that are asked for, or that services need, or where severe events were. */
async function candidates(asking: DetectorAsking) {
  const { tenant, ports, range, scope, ciIds } = asking;
  const services = await servicesOf(asking);
  const looked: Service[] = [];
  let components = 0;
  for (const service of services.slice(0, MOST_SERVICES)) {
    components += service.components.length;
    if (components > MOST_COMPONENTS && looked.length > 0) break;
    looked.push(service);
  }
  const of = looked.flatMap((service) => service.components.map(({ ciId }) => ciId)).slice(0, MOST_COMPONENTS);
  const edges = await edgesAround(ports, tenant, of, { direction: 'up', hops: HOPS, over: 'cause' });
  const byNeed = [...needed(looked, edges)].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).map(([id]) => id);
  const request = { measure: 'events', by: ['ci'], limit: MOST_SEVERE } as const;
  const filter = { ...scope, ...range, severities: SEVERE };
  const { buckets } = await ports.eventAggregates.aggregate(tenant, filter, request);
  const severe = buckets.flatMap(({ keys: [id] }) => id ?? []);
  const own = (ciIds ?? []).slice(0, MOST_CANDIDATES);
  const ids = [...new Set([...own, ...byNeed.slice(0, MOST_CANDIDATES), ...severe])];
  const truncated = looked.length < services.length || byNeed.length > MOST_CANDIDATES;
  return { ids, truncated: truncated || (ciIds?.length ?? 0) > own.length };
}

async function below(asking: DetectorAsking, { id, name, type }: NamedCi): Promise<DependedOn[]> {
  const { tenant, ports } = asking;
  try {
    const { impacted, truncated } = await ports.graph.impact(tenant, [id], { limit: BELOW });
    const failed = new Set([id, ...impacted.map(({ ci }) => ci)]);
    const services = await servicesHit(asking, failed);
    return [{ ci: { id, name, type }, below: impacted.length, truncated, services }];
  } catch (error) {
    // Removed in the meantime.
    if (error instanceof Fault && error.kind === 'not-found') return [];
    throw error;
  }
}

async function seeDepended(asking: DetectorAsking) {
  const { ids, truncated } = await candidates(asking);
  const cis = await asking.ports.topology.getCis(asking.tenant, ids);
  const seen: DependedOn[] = [];
  for (const some of slices(cis, AT_ONCE))
    seen.push(...(await Promise.all(some.map((ci) => below(asking, ci)))).flat());
  return { seen, truncated };
}

/** Of CIs: those that nobody meets any longer, and those that much hangs on. */
export const ciReading: DetectorReading = {
  kinds: ['stale-ci', 'single-point-of-failure'],
  async detect(asking, isWanted) {
    const [stale, depended] = await Promise.all([
      isWanted('stale-ci') ? seeStale(asking) : null,
      isWanted('single-point-of-failure') ? seeDepended(asking) : null,
    ]);
    return {
      findings: [
        ...(stale === null ? [] : detectStaleCis(stale)),
        ...(depended === null ? [] : detectSinglePoints(depended.seen)),
      ],
      looked:
        depended === null ? [] : [{ what: 'cis', read: depended.seen.length, truncated: depended.truncated } as const],
    };
  },
};
