import { refusedAnywhere } from '#application/cmdb/refusals.ts';
import { edgesAround } from '#application/services/edges.ts';
import { servicesHit } from '#application/services/services-hit.ts';
import { firstItem } from '#domain/assert.ts';
import type { Group } from '#domain/correlation/records.ts';
import type { Event } from '#domain/event/event.ts';
import { Fault } from '#domain/fault.ts';
import type { Service } from '#domain/services/service.ts';
import { slices } from '#domain/slices.ts';
import { DEPENDENCY_TYPES, type Relationship, redundancyOf } from '#domain/topology/topology.ts';
import { zip } from '#domain/zip.ts';
import type { NamedCi } from '#features/ai/rules/findings.ts';
import { type Burst, type BurstTop, burstFinding, burstsOf } from '#features/detectors/rules/burst.ts';
import { doubtfulEdges, failedOften, MIN_CHANCES } from '#features/detectors/rules/co-failure/doubtful.ts';
import { detectDoubtful, type NamedEdge } from '#features/detectors/rules/doubtful-relationship.ts';
import { detectFailsAfter, type UnrelatedPair } from '#features/detectors/rules/fails-after.ts';
import type { Finding, InsightKind } from '#features/detectors/rules/finding.ts';
import { detectRepeatedIncidents, type RepeatedSeen } from '#features/detectors/rules/repeated-incident.ts';
import { type DependedOn, detectSinglePoints } from '#features/detectors/rules/single-point.ts';
import { detectStaleCis, STALE_DAYS, type StaleSeen } from '#features/detectors/rules/stale-ci.ts';
import { type LoadedFailures, loadFailures } from '#features/detectors/use-cases/beside/load-failures.ts';
import { newestGroups, SPAN_DAYS } from '#features/detectors/use-cases/beside/newest-groups.ts';
import { unrelatedPairs } from '#features/detectors/use-cases/beside/unrelated-pairs.ts';
import { DAY_MS, type Detected, type DetectorAsking, type DetectorReading, HOUR_MS, type Looked } from './asking.ts';
import { changeReading } from './changes.ts';
import { eventReading } from './events.ts';
import { signatureReading } from './signatures.ts';

const NAMED = 5;
/** Maximum of services whose components are checked, the most critical, and of their components in all. */
const MAX_SERVICES = 20;
const MAX_COMPONENTS = 100;
/** Hops upstream of components. */
const HOPS = 3;
/** Maximum of CIs whose failure is computed: those needed by most services, and CIs with most severe events. */
const MAX_CANDIDATES = 20;
const MAX_SEVERE = 10;
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

/** Counts the services that lose a component, or a dependency of one, with each CI. */
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

/** Returns CIs that may be single points of failure: requested ones, CIs of services, or CIs with severe events. */
async function candidates(asking: DetectorAsking) {
  const { tenant, ports, range, scope, ciIds } = asking;
  const services = await servicesOf(asking);
  const looked: Service[] = [];
  let components = 0;
  for (const service of services.slice(0, MAX_SERVICES)) {
    components += service.components.length;
    if (components > MAX_COMPONENTS && looked.length > 0) break;
    looked.push(service);
  }
  const of = looked.flatMap((service) => service.components.map(({ ciId }) => ciId)).slice(0, MAX_COMPONENTS);
  const edges = await edgesAround(ports, tenant, of, { direction: 'up', hops: HOPS, over: 'cause' });
  const byNeed = [...needed(looked, edges)].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).map(([id]) => id);
  const request = { measure: 'events', by: ['ci'], limit: MAX_SEVERE } as const;
  const filter = { ...scope, ...range, severities: SEVERE };
  const { buckets } = await ports.eventAggregates.aggregate(tenant, filter, request);
  const severe = buckets.flatMap(({ keys: [id] }) => id ?? []);
  const own = (ciIds ?? []).slice(0, MAX_CANDIDATES);
  const ids = [...new Set([...own, ...byNeed.slice(0, MAX_CANDIDATES), ...severe])];
  const truncated = looked.length < services.length || byNeed.length > MAX_CANDIDATES;
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

/** Detectors of CIs: those without recent sightings, and those with many dependents. */
const ciReading: DetectorReading = {
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

/** Maximum of CIs whose relationships are read, those with most failures. */
const MAX_FAILED = 50;
const EDGES = 50;

/** Pairs that are not proposed already. */
async function seeUnrelated(asking: DetectorAsking, loaded: LoadedFailures): Promise<UnrelatedPair[]> {
  const { tenant, ports } = asking;
  const pairs = await unrelatedPairs(asking, loaded, await refusedAnywhere(ports, tenant));
  const ends = pairs.map(({ first, second }) => ({ source: second.id, target: first.id, type: 'depends_on' }));
  const proposed = await ports.topology.relationshipsBetween(tenant, ends);
  return pairs.filter((_, i) => proposed[i] === null);
}

/** Returns relationships of the CIs with most failures over which no failure spread. */
async function seeDoubtful({ tenant, ports }: DetectorAsking, { failures }: LoadedFailures) {
  const failed = [...failedOften(failures)].filter(([, count]) => count >= MIN_CHANCES);
  const most = failed.sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).slice(0, MAX_FAILED);
  const page = { sort: 'created_at', order: 'asc', limit: EDGES } as const;
  const found = await Promise.all(
    most.map(([target]) => ports.topology.findRelationships(tenant, { target, includeAi: false }, page)),
  );
  const edges = found
    .flatMap(({ items }) => items)
    .filter((edge) => (DEPENDENCY_TYPES as readonly string[]).includes(edge.type) && redundancyOf(edge) === null);
  const cis = await ports.topology.getCis(tenant, [
    ...new Set(edges.flatMap(({ source, target }) => [source, target])),
  ]);
  const byId = new Map(cis.map(({ id, name, type }): [string, NamedCi] => [id, { id, name, type }]));
  const named = edges.flatMap(({ id, source, target, type }): NamedEdge[] => {
    const [from, to] = [byId.get(source), byId.get(target)];
    return from && to ? [{ id, source, target, type, from, to }] : [];
  });
  return doubtfulEdges(named, failures);
}

/** Detectors of incidents: relationships that they suggest, and doubtful ones. */
const togetherReading: DetectorReading = {
  kinds: ['missing-relationship', 'doubtful-relationship'],
  async detect(asking, isWanted) {
    const loaded = await loadFailures(asking);
    const [pairs, doubtful] = await Promise.all([
      isWanted('missing-relationship') ? seeUnrelated(asking, loaded) : [],
      isWanted('doubtful-relationship') ? seeDoubtful(asking, loaded) : [],
    ]);
    const asked = asking.ciIds;
    const isAsked = (ciIds: readonly string[]): boolean => asked === null || ciIds.some((id) => asked.includes(id));
    const findings = [...detectFailsAfter(pairs), ...detectDoubtful(doubtful, SPAN_DAYS)];
    return {
      findings: findings.filter(({ ciIds }) => isAsked(ciIds)),
      looked: [{ what: 'incidents', read: loaded.failures.incidents.length, truncated: loaded.truncated }],
    };
  },
};

const EVENTS_AT_ONCE = 500;

async function causesOf({ tenant, ports }: DetectorAsking, groups: readonly Group[]): Promise<Map<string, Event>> {
  const ids = groups.flatMap(({ candidate }) => candidate?.eventId ?? []);
  const causes = new Map<string, Event>();
  for (const some of slices(ids, EVENTS_AT_ONCE))
    for (const event of await ports.events.getMany(tenant, some)) causes.set(event.id, event);
  return causes;
}

/** Returns groups by the problem and the place of their cause, groups that began in the range last. */
async function seeRepeated(asking: DetectorAsking, groups: readonly Group[]): Promise<RepeatedSeen[]> {
  const { range, ciIds } = asking;
  const causes = await causesOf(asking, groups);
  const told = groups.flatMap((group) => {
    const cause = causes.get(group.candidate?.eventId ?? '');
    if (cause === undefined || (ciIds !== null && !ciIds.includes(cause.ci?.id ?? ''))) return [];
    return [{ group, cause }];
  });
  const alike = Map.groupBy(told, ({ cause }) => `${cause.signature} ${cause.ci?.id ?? cause.hostname ?? ''}`);
  return [...alike].flatMap(([key, same]) => {
    const sorted = same.toSorted((a, b) => b.group.first - a.group.first);
    const [newest] = sorted;
    if (newest === undefined || newest.group.last < range.from || newest.group.first >= range.to) return [];
    const ended = sorted.find(({ cause }) => cause.resolvedBy !== undefined)?.cause ?? null;
    return [
      {
        key,
        cause: newest.cause,
        ended,
        days: SPAN_DAYS,
        groups: sorted.map(({ group }) => group.id),
        events: same.reduce((sum, { group }) => sum + group.size, 0),
      },
    ];
  });
}

/** Detectors of incidents: recurring causes. */
const incidentReading: DetectorReading = {
  kinds: ['repeated-incident'],
  async detect(asking) {
    const { groups, truncated } = await newestGroups(asking);
    return {
      findings: detectRepeatedIncidents(await seeRepeated(asking, groups)),
      looked: [{ what: 'incidents', read: groups.length, truncated }],
    };
  },
};

/** Maximum of hours that are read, the newest; those before the range are the baseline. */
const MAX_HOURS = 960;
const BEFORE_MS = 14 * DAY_MS;

/** Returns the most frequent problem of the hour. */
async function topOf({ tenant, ports, scope }: DetectorAsking, { at }: Burst): Promise<BurstTop | null> {
  const hour = { from: at, to: at + HOUR_MS };
  const request = { measure: 'events', by: ['signature'], limit: 1 } as const;
  const { buckets } = await ports.eventAggregates.aggregate(tenant, { ...scope, ...hour }, request);
  const [signature] = buckets[0]?.keys ?? [];
  if (!signature) return null;
  const past = await ports.eventHistory.history(tenant, [signature], { ...hour, limit: 1 });
  const id = past.get(signature)?.[0]?.id;
  const newest = id === undefined ? null : await ports.events.get(tenant, id);
  return newest && { newest, count: firstItem(buckets).count };
}

/** Detectors of hours: those with far more events than others. */
const hourReading: DetectorReading = {
  kinds: ['burst'],
  async detect(asking) {
    const { tenant, ports, range, scope } = asking;
    const end = Math.ceil(range.to / HOUR_MS) * HOUR_MS;
    const wanted = Math.ceil((end - Math.floor(range.from / HOUR_MS) * HOUR_MS + BEFORE_MS) / HOUR_MS);
    const hours = Math.min(MAX_HOURS, wanted);
    const edges = Array.from({ length: hours + 1 }, (_, n) => end - (hours - n) * HOUR_MS);
    const filter = { ...scope, from: firstItem(edges), to: end };
    const request = { measure: 'events', by: ['time'], edges, limit: hours } as const;
    const { buckets } = await ports.eventAggregates.aggregate(tenant, filter, request);
    const counted = new Map(buckets.map(({ keys, count }) => [Number(keys[0]), count]));
    const first = edges.findIndex((edge) => (counted.get(edge) ?? 0) > 0);
    // A tenant before its first event was not quiet but nonexistent.
    const known = first < 0 ? [] : edges.slice(first, -1);
    const seen = known.map((at) => ({ at, count: counted.get(at) ?? 0 }));
    const bursts = burstsOf(seen, range.from);
    const tops = await Promise.all(bursts.map((burst) => topOf(asking, burst)));
    return {
      findings: zip(bursts, tops).map(([burst, top]) => burstFinding(burst, top)),
      looked: [{ what: 'hours', read: hours, truncated: wanted > hours }],
    };
  },
};

const READINGS: readonly DetectorReading[] = [
  signatureReading,
  hourReading,
  eventReading,
  ciReading,
  incidentReading,
  togetherReading,
  changeReading,
];

/** Longest range of detectors. */
export const MAX_DAYS = 90;

/** Findings that a store cannot return in time are missing; the rest is shown. */
async function detected(reading: DetectorReading, asking: DetectorAsking, wanted: ReadonlySet<InsightKind>) {
  const kinds = reading.kinds.filter((kind) => wanted.has(kind));
  const nothing: Detected = { findings: [], looked: [] };
  if (kinds.length === 0) return { ...nothing, failed: [] };
  try {
    return { ...(await reading.detect(asking, (kind) => wanted.has(kind))), failed: [] };
  } catch (error) {
    if (error instanceof Fault && error.kind === 'unavailable') return { ...nothing, failed: kinds };
    throw error;
  }
}

export interface DetectorRun {
  readonly found: readonly Finding[];
  readonly looked: readonly Looked[];
  /** Kinds whose data could not be read in time. */
  readonly failed: readonly InsightKind[];
}

/** Runs the detectors that are wanted; the range is of at most `MAX_DAYS`. */
export async function runDetectors(asking: DetectorAsking, wanted: ReadonlySet<InsightKind>): Promise<DetectorRun> {
  const all = await Promise.all(READINGS.map((reading) => detected(reading, asking, wanted)));
  return {
    found: all.flatMap(({ findings }) => findings),
    looked: all.flatMap(({ looked }) => looked),
    failed: all.flatMap(({ failed }) => failed),
  };
}
