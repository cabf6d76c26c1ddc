import type { TimedContext } from '#application/access/context.ts';
import { edgesAround } from '#application/services/edges.ts';
import { everyService, findService } from '#application/services/service-store.ts';
import type { Event } from '#domain/event/event.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { UPSTREAM } from '#domain/services/health.ts';
import type { Service } from '#domain/services/service.ts';
import { CAUSE_TYPES, type Relationship } from '#domain/topology/topology.ts';
import {
  DAY_MS,
  type HealthDay,
  type PastEdge,
  pastHealth,
  type ServiceTrend,
} from '#features/services/rules/past-health.ts';

/** Events read at once, and in all: the newest. */
const PAGE = 1_000;
const MAX_EVENTS = 4_000;

export interface ServicePast {
  readonly days: readonly HealthDay[];
  /** True if older events of the period were left out. */
  readonly truncated: boolean;
}

interface Period {
  readonly from: number;
  readonly to: number;
}

/** Events on these CIs, the newest first. */
async function eventsOn(
  { events }: Pick<Ports, 'events'>,
  tenant: string,
  ciId: readonly string[],
  { from, to }: Period,
): Promise<{ readonly found: readonly Event[]; readonly truncated: boolean }> {
  const found: Event[] = [];
  let cursor: string | undefined;
  while (ciId.length > 0) {
    const page = { sort: 'lastOccurrence', order: 'desc', limit: PAGE } as const;
    const part = await events.part(tenant, { ciId, from, to }, { ...page, ...(cursor !== undefined && { cursor }) });
    found.push(...part.items);
    if (part.nextCursor === null) break;
    if (found.length >= MAX_EVENTS) return { found, truncated: true };
    cursor = part.nextCursor;
  }
  return { found, truncated: false };
}

/** Removed relationships of a period, the latest. */
const MAX_REMOVED = 5_000;
const WALK = { direction: 'up', over: 'cause' } as const;

/** Removed relationships that led upstream from these CIs, and the relationships behind them that `today` lacks. */
async function removedAround(
  { tenant, ports }: TimedContext,
  reached: ReadonlySet<string>,
  today: readonly Relationship[],
  period: Period,
): Promise<readonly PastEdge[]> {
  const all = await ports.history.removed(tenant, { ...period, limit: MAX_REMOVED });
  const causes = all.filter(({ relationship: { type } }) => (CAUSE_TYPES as readonly string[]).includes(type));
  const removed: PastEdge[] = [];
  const edges = new Map(today.map((edge) => [edge.id, edge]));
  const known = new Set(reached);
  let near = reached;
  for (let hop = 0; hop < UPSTREAM.hops && near.size > 0; hop++) {
    const here = near;
    const left = causes.filter(({ relationship: { source } }) => here.has(source));
    const ends = left.map(({ relationship: { target } }) => target).filter((id) => !known.has(id));
    const behind = await edgesAround(ports, tenant, ends, { ...WALK, hops: UPSTREAM.hops });
    for (const edge of behind) edges.set(edge.id, edge);
    removed.push(...left.map(({ relationship, at }) => ({ ...relationship, removedAt: at })));
    near = new Set([...ends, ...behind.map(({ target }) => target)].filter((id) => !known.has(id)));
    for (const id of near) known.add(id);
  }
  return [...edges.values(), ...removed];
}

/** The relationships that decide the health of services, removed ones of the period too, and the CIs at their ends. */
async function surroundings(context: TimedContext, services: readonly Service[], period: Period) {
  const { tenant, ports } = context;
  const components = services.flatMap(({ components: own, earlier = [] }) =>
    [own, ...earlier.map((list) => list.components)].flat().map(({ ciId }) => ciId),
  );
  const today = await edgesAround(ports, tenant, components, { ...WALK, hops: UPSTREAM.hops });
  const reached = new Set([...components, ...today.map(({ target }) => target)]);
  const edges = await removedAround(context, reached, today, period);
  return { edges, involved: [...new Set([...components, ...edges.map(({ target }) => target)])] };
}
const serviceOf = async ({ tenant, ports }: TimedContext, id: string): Promise<Service> =>
  (await findService(ports.records, tenant, id)).body;

/** The health of a service in each of the last days, UTC, from the events on its components and their dependencies. */
export async function readPastHealth(context: TimedContext, id: string, days: number): Promise<ServicePast> {
  const { tenant, ports, receivedAt: now } = context;
  const service = await serviceOf(context, id);
  const period = { from: (Math.floor(now / DAY_MS) - days + 1) * DAY_MS, to: now };
  const { edges, involved } = await surroundings(context, [service], period);
  const { found, truncated } = await eventsOn(ports, tenant, involved, period);
  return { days: pastHealth({ service, events: found, edges, ...period }), truncated };
}

/** Events that began earlier do not count for a period. */
const LASTING_MS = 7 * DAY_MS;

/** The worst health of the components of a service in a period, also before it and its relationships were created, and the CIs whose events make it. */
export async function healthDuring(context: TimedContext, id: string, { from, to }: Period) {
  const service = { ...(await serviceOf(context, id)), createdAt: 0 };
  const { edges: known, involved } = await surroundings(context, [service], { from, to: context.receivedAt });
  const edges = known.map((edge) => ({ ...edge, createdAt: 0 }));
  const lasting = { from: from - LASTING_MS, to };
  const { found } = await eventsOn(context.ports, context.tenant, involved, lasting);
  const days = pastHealth({ service, events: found, edges, from, to });
  const sum = (of: (day: HealthDay) => number): number => days.reduce((all, day) => all + of(day), 0);
  const [worst] = days.map((day) => day.worst).toSorted((a, b) => a.score - b.score);
  return {
    worst,
    involved,
    criticalMs: sum(({ criticalMs }) => criticalMs),
    degradedMs: sum(({ degradedMs }) => degradedMs),
  };
}

const HOUR_MS = 3_600_000;
const HOURS = 24;
/** Components of all services together; services beyond have no trend. */
const MAX_COMPONENTS = 2_000;

/** The health of these services in each of the last hours since they were created; unknown ones, and ones without components, are left out. */
export async function readHealthTrends(
  context: TimedContext,
  ids: readonly string[],
): Promise<readonly ServiceTrend[]> {
  const { tenant, ports, receivedAt: now } = context;
  const asked = new Set(ids);
  let room = MAX_COMPONENTS;
  const services = (await everyService(ports.records, tenant)).filter(({ id, components: { length } }) => {
    const isTaken = asked.has(id) && length > 0 && length <= room;
    if (isTaken) room -= length;
    return isTaken;
  });
  const period = { from: (Math.floor(now / HOUR_MS) - HOURS + 1) * HOUR_MS, to: now };
  const { edges, involved } = await surroundings(context, services, period);
  const { found } = await eventsOn(ports, tenant, involved, { ...period, from: period.from - LASTING_MS });
  return services.map((service) => ({
    id: service.id,
    hours: pastHealth({ service, events: found, edges, ...period, stepMs: HOUR_MS }).filter(
      ({ worst }) => worst.status !== 'unknown',
    ),
  }));
}
